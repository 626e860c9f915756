import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useBees, type Task } from '../../api/colony';
import { call, fieldProblem } from '../../api/client';
import { Dialog, ErrorNote, Field } from '../../parts/basics';
import { tell } from '../../parts/toasts';
import { priorityNames, wordsOf } from './moves';

export function CreateTask(props: { onClose: () => void; onMade: (task: Task) => void }) {
  const bees = useBees();
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [priority, setPriority] = useState('2');
  const [words, setWords] = useState({ tags: '', skills: '', dependsOn: '' });
  const [assignedTo, setAssignedTo] = useState('');
  const make = useMutation({
    mutationFn: async () => {
      const lists = Object.entries(words).map(([name, text]) => [name, wordsOf(text)] as const).filter(([, list]) => list.length > 0);
      return (await call('post', '/api/v1/tasks', {
        body: {
          title: title.trim(),
          priority: Number(priority),
          ...(description.trim() === '' ? {} : { description }),
          ...(assignedTo === '' ? {} : { assignedTo }),
          ...Object.fromEntries(lists),
        },
      })) as Task;
    },
    onSuccess: (task) => {
      tell('good', `${task.ref} is made`);
      props.onMade(task);
    },
  });
  const list = (name: keyof typeof words, label: string, hint: string, placeholder: string) => (
    <Field label={label} hint={hint} wrong={fieldProblem(make.error, `/${name}`)}>
      {(parts) => (
        <input {...parts} className="input" value={words[name]} placeholder={placeholder} autoComplete="off" spellCheck={false}
          onChange={(event) => setWords({ ...words, [name]: event.target.value })} />
      )}
    </Field>
  );
  return (
    <Dialog
      title="New task"
      onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="create-task" className="button primary" disabled={title.trim() === '' || make.isPending}>
            {make.isPending && <span className="spin" />} Create
          </button>
        </>
      }
    >
      <form
        id="create-task"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field label="Title" wrong={fieldProblem(make.error, '/title')}>
          {(parts) => (
            <input {...parts} className="input" value={title} maxLength={300} placeholder="What is to be done, in one line" autoComplete="off"
              onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <Field label="Description" wrong={fieldProblem(make.error, '/description')}>
          {(parts) => (
            <textarea {...parts} className="input words" rows={4} value={description} placeholder="What whoever takes it has to know"
              onChange={(event) => setDescription(event.target.value)} />
          )}
        </Field>
        <div className="grid-2">
          <Field label="Priority">
            {(parts) => (
              <select {...parts} className="input" value={priority} onChange={(event) => setPriority(event.target.value)}>
                {priorityNames.map((name, index) => <option key={name} value={index}>{index} · {name}</option>)}
              </select>
            )}
          </Field>
          <Field label="For" hint="Nobody else can take it then" wrong={fieldProblem(make.error, '/assignedTo')}>
            {(parts) => (
              <>
                <input {...parts} className="input" value={assignedTo} list="all-bees" placeholder="anybody" autoComplete="off"
                  onChange={(event) => setAssignedTo(event.target.value.trim())} />
                <datalist id="all-bees">{(bees.data ?? []).map((bee) => <option key={bee.id} value={bee.id} />)}</datalist>
              </>
            )}
          </Field>
          {list('tags', 'Tags', 'Apart by commas', 'perf, checkout')}
          {list('skills', 'Skills', 'What a bee needs to get it by itself', 'cpp')}
        </div>
        {list('dependsOn', 'Depends on', 'Waits until these are completed', 'TASK-1, TASK-2')}
        {make.isError && <ErrorNote error={make.error} />}
      </form>
    </Dialog>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { call, send, urlOf, type Schemas } from '../../api/client';
import type { Scenario } from '../../api/model';
import { keys } from '../../api/queries';
import { Bones, Dialog, Empty, ErrorNote, Field, Note } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { PlusIcon, TrashIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { Findings } from '../swarms/findings';

const Editor = lazy(async () => ({ default: (await import('./yaml-editor')).YamlEditor }));
type Finding = Schemas['ScenarioFinding'];

// A request may be a megabyte; of more, the server is asked only once it is kept.
const trialBytesMax = 900_000;
const fileAddress = '/api/v1/scenarios/{scenarioId}/files/{path}';

async function loadFiles(scenario: Scenario): Promise<Record<string, string>> {
  const texts = await Promise.all(
    scenario.files.map(async (file): Promise<[string, string]> => {
      const response = await send('get', urlOf(fileAddress, { path: { scenarioId: scenario.id, path: file.path } }), {});
      return [file.path, await response.text()];
    }),
  );
  return Object.fromEntries(texts);
}

export function Files(props: { scenario: Scenario; mayWrite: boolean }) {
  const { scenario, mayWrite } = props;
  const total = scenario.files.reduce((sum, file) => sum + file.size, 0);
  const small = total <= trialBytesMax;
  const files = useQuery({
    queryKey: ['files', scenario.id, scenario.revision],
    enabled: small,
    staleTime: Infinity,
    queryFn: () => loadFiles(scenario),
  });
  if (!small) {
    return <section className="panel"><Empty title="Too large to edit here">All its files together are more than a megabyte. Edit them in the folder of the scenario; the server sees the change by itself.</Empty></section>;
  }
  if (files.isPending) return <section className="panel"><Bones rows={10} /></section>;
  if (files.isError) return <ErrorNote error={files.error} retry={() => void files.refetch()} />;
  // What somebody else saves meanwhile is a new revision: the editor begins anew with it.
  return <Workbench key={scenario.revision} scenario={scenario} stored={files.data} mayWrite={mayWrite} />;
}

function Workbench(props: { scenario: Scenario; stored: Record<string, string>; mayWrite: boolean }) {
  const { scenario, stored, mayWrite } = props;
  const client = useQueryClient();
  const [texts, setTexts] = useState(stored);
  const [open, setOpen] = useState(() => ('scenario.yaml' in stored ? 'scenario.yaml' : (Object.keys(stored)[0] ?? '')));
  const [goTo, setGoTo] = useState<{ line: number; column: number }>();
  const [adding, setAdding] = useState(false);
  // An editor keeps its own text: what was discarded needs a new one.
  const [generation, setGeneration] = useState(0);
  const changed = Object.keys(texts).filter((path) => texts[path] !== stored[path]);
  const gone = Object.keys(stored).filter((path) => !(path in texts));
  const dirty = changed.length + gone.length > 0;

  const [settled, setSettled] = useState(texts);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(texts), 350);
    return () => clearTimeout(timer);
  }, [texts]);
  const judged = useQuery({
    queryKey: ['trial', scenario.id, settled],
    placeholderData: (before) => before,
    gcTime: 10_000,
    queryFn: () => call('post', '/api/v1/validation/scenarios', { body: { files: settled } }),
  });
  const findings = judged.data?.findings ?? [];
  const here = findings.filter((finding) => (finding.file ?? 'scenario.yaml') === open);

  const save = useMutation({
    mutationFn: () =>
      call('put', '/api/v1/scenarios/{scenarioId}', { path: { scenarioId: scenario.id }, body: { files: texts }, ifMatch: `"${scenario.revision}"` }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.scenario(scenario.id) });
      void client.invalidateQueries({ queryKey: keys.scenarios });
      tell('good', `${scenario.id} is kept`);
    },
  });
  const discard = () => {
    setTexts(stored);
    if (!(open in stored)) setOpen('scenario.yaml');
    setGeneration(generation + 1);
    save.reset();
  };
  const show = (finding: Finding) => {
    setOpen(finding.file ?? 'scenario.yaml');
    setGoTo({ line: finding.line ?? 1, column: finding.column ?? 1 });
  };
  return (
    <section className="panel" aria-label="Files">
      <header>
        <h2><code>{open}</code></h2>
        {!mayWrite && <span className="small muted">Your role may read, not change.</span>}
        {mayWrite && (
          <>
            {dirty && <Badge tone="honey" text={`${changed.length + gone.length} not kept`} />}
            <button type="button" className="button small" disabled={!dirty || save.isPending} onClick={discard}>Discard</button>
            <button type="button" className="button small primary" disabled={!dirty || save.isPending} onClick={() => save.mutate()}>
              {save.isPending && <span className="spin" />} Save
            </button>
          </>
        )}
      </header>
      {save.isError && <div className="body"><ErrorNote error={save.error} /></div>}
      <div className="editor">
        <nav className="files" aria-label="Files of the scenario">
          {Object.keys(texts).sort().map((path) => (
            <button key={path} type="button" className="file" aria-current={path === open ? 'true' : undefined} onClick={() => { setOpen(path); setGoTo(undefined); }}>
              {path}
              {changed.includes(path) && <span className="changed" role="img" aria-label="not kept yet" />}
            </button>
          ))}
          {mayWrite && (
            <div className="row">
              <button type="button" className="button small quiet" onClick={() => setAdding(true)}><PlusIcon /> File</button>
              {open !== 'scenario.yaml' && (
                <button type="button" className="button small quiet" onClick={() => {
                  setTexts(Object.fromEntries(Object.entries(texts).filter(([path]) => path !== open)));
                  setOpen('scenario.yaml');
                }}><TrashIcon /> Remove</button>
              )}
            </div>
          )}
        </nav>
        <div className="pane">
          <Suspense fallback={<Bones rows={12} />}>
            <Editor
              key={`${open} ${generation}`}
              label={`Text of ${open}`}
              text={texts[open] ?? ''}
              readOnly={!mayWrite}
              withSchema={open === 'scenario.yaml'}
              findings={here}
              goTo={goTo}
              onChange={(text) => setTexts((before) => ({ ...before, [open]: text }))}
            />
          </Suspense>
          <div className="verdict" role="status">
            {judged.isError ? <ErrorNote error={judged.error} />
              : judged.data === undefined ? <span className="muted">Checking…</span>
                : judged.data.valid ? <Badge tone="good" text={findings.length === 0 ? 'Nothing is wrong' : `Sound, ${findings.length} to look at`} />
                  : <Badge tone="bad" text={`${judged.data.errors} ${judged.data.errors === 1 ? 'error' : 'errors'}`} />}
            <span className="small muted">Ctrl-Space completes a word.</span>
          </div>
          {findings.length > 0 && <div className="findings" tabIndex={0} role="group" aria-label="Findings"><Findings findings={findings} onGo={show} /></div>}
        </div>
      </div>
      {adding && (
        <AddFile taken={Object.keys(texts)} onClose={() => setAdding(false)} onAdd={(path) => {
          setTexts({ ...texts, [path]: '' });
          setOpen(path);
          setAdding(false);
        }} />
      )}
    </section>
  );
}

function AddFile(props: { taken: string[]; onClose: () => void; onAdd: (path: string) => void }) {
  const [path, setPath] = useState('');
  const taken = props.taken.includes(path);
  return (
    <Dialog title="New file" onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="add-file" className="button primary" disabled={path === '' || taken}>Add</button>
        </>
      }>
      <form id="add-file" className="stack" onSubmit={(event) => { event.preventDefault(); props.onAdd(path); }}>
        <Field label="Path" wrong={taken ? 'There is such a file already' : undefined} hint="For example sut/staging/sut.yaml or datasets/users.csv">
          {(parts) => <input {...parts} className="input mono" value={path} autoComplete="off" spellCheck={false} onChange={(event) => setPath(event.target.value)} />}
        </Field>
        <Note>It is kept together with your other changes, when you save.</Note>
      </form>
    </Dialog>
  );
}

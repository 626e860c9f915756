import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import scenarioSchema from '../../../../docs/spec/scenario.schema.json';
import type { Schemas } from '../../api/client';
import { keysAt, pathAt, valuesAt, type Schema } from './yaml-help';

const schema = scenarioSchema as unknown as Schema;

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--well) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--honey-ink)', outlineOffset: '-2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--honey-wash)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--honey-wash)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)' },
  '.cm-panels': { backgroundColor: 'var(--well)', color: 'var(--ink)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--honey-ink)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.atom, tags.keyword], color: 'var(--info)' },
  { tag: tags.comment, color: 'var(--ink-3)' },
  { tag: [tags.meta, tags.labelName, tags.typeName], color: 'var(--series-4)' },
]);

function complete(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const lines = context.state.doc.toString().split('\n');
  const value = /^(\s*(?:-\s+)*)([\w.-]+):\s+([\w.-]*)$/.exec(before);
  if (value !== null) {
    const [, lead = '', key = '', typed = ''] = value;
    const path = [...pathAt(lines, line.number - 1, lead.length), key];
    return {
      from: context.pos - typed.length,
      options: valuesAt(schema, path).map((label) => ({ label, type: 'enum' })),
      validFor: /^[\w.-]*$/,
    };
  }
  const word = /^(\s*(?:-\s+)*)([\w.-]*)$/.exec(before);
  if (word === null) return null;
  const [, lead = '', typed = ''] = word;
  if (typed === '' && !context.explicit) return null;
  return {
    from: context.pos - typed.length,
    options: keysAt(schema, pathAt(lines, line.number - 1, lead.length)).map((each) => ({
      label: each.label,
      detail: each.help,
      apply: each.opens ? `${each.label}:` : `${each.label}: `,
      type: 'property',
    })),
    validFor: /^[\w.-]*$/,
  };
}

type Finding = Schemas['ScenarioFinding'];

function diagnosticsOf(state: EditorState, findings: Finding[]): Diagnostic[] {
  return findings.map((finding) => {
    const line = state.doc.line(Math.min(Math.max(1, finding.line ?? 1), state.doc.lines));
    const from = Math.min(line.to, line.from + Math.max(0, (finding.column ?? 1) - 1));
    return {
      from,
      to: line.to,
      severity: finding.severity === 'note' ? 'info' : finding.severity,
      message: finding.hint === undefined ? finding.message : `${finding.message} – ${finding.hint}`,
    };
  });
}

export function YamlEditor(props: {
  label: string;
  text: string;
  readOnly: boolean;
  withSchema: boolean;
  findings: Finding[];
  goTo: { line: number; column: number } | undefined;
  onChange: (text: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(props.onChange);
  changed.current = props.onChange;
  const first = useRef(props.text);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    // Inside a shadow root the editor adopts its style sheets, which the policy of the page allows;
    // outside it would write style elements, which it does not.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          indentUnit.of('  '),
          lintGutter(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': props.label }),
          EditorState.readOnly.of(props.readOnly),
          yaml(),
          look,
          syntaxHighlighting(colours),
          ...(props.withSchema ? [autocompletion({ override: [complete] })] : []),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    // What scrolls can be scrolled with keys, also by who may only read.
    made.scrollDOM.tabIndex = 0;
    view.current = made;
    return () => {
      made.destroy();
      view.current = undefined;
    };
    // A file that is opened gets an editor of its own: the caller gives it a key.
  }, []);

  useEffect(() => {
    const made = view.current;
    if (made !== undefined) made.dispatch(setDiagnostics(made.state, diagnosticsOf(made.state, props.findings)));
  }, [props.findings]);

  useEffect(() => {
    const made = view.current;
    if (made === undefined || props.goTo === undefined) return;
    const line = made.state.doc.line(Math.min(props.goTo.line, made.state.doc.lines));
    made.dispatch({ selection: { anchor: Math.min(line.to, line.from + props.goTo.column - 1) }, scrollIntoView: true });
    made.focus();
  }, [props.goTo]);

  return <div ref={host} className="editor-host" />;
}

import type { Schemas } from '../../api/client';

type Finding = Schemas['ScenarioFinding'];

export function Findings(props: { findings: Finding[]; onGo?: (finding: Finding) => void }) {
  return (
    <div>
      {props.findings.map((each, index) => {
        const place = each.file === undefined ? (each.key ?? '') : `${each.file}${each.line === undefined ? '' : `:${each.line}`}`;
        return (
          <div className="finding" key={index}>
            {props.onGo !== undefined && each.line !== undefined ? (
              <button type="button" className="place" onClick={() => props.onGo?.(each)}>{place}</button>
            ) : (
              <code>{place}</code>
            )}
            <div>
              {each.severity === 'error' ? '' : `${each.severity}: `}
              {each.message}
              {each.hint !== undefined && <span className="hint"> – {each.hint}</span>}
            </div>
          </div>
        );
      })}
    </div>
  );
}

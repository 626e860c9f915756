import { describe, expect, it } from 'vitest';
import scenarioSchema from '../../../../docs/spec/scenario.schema.json';
import { keysAt, pathAt, valuesAt, type Schema } from './yaml-help';

const schema = scenarioSchema as unknown as Schema;
const text = `id: hello
bees:
  - id: generator
    role: generator
    work:
      out: { out: requests }
    config:
      inputs:
        
plan:
- a
`.split('\n');

describe('the place in a file', () => {
  it('is known by indentation', () => {
    expect(pathAt(text, 0, 0)).toEqual([]);
    expect(pathAt(text, 3, 4)).toEqual(['bees', '[]']);
    expect(pathAt(text, 8, 8)).toEqual(['bees', '[]', 'config', 'inputs']);
    expect(pathAt(text, 2, 4)).toEqual(['bees', '[]']);
  });
  it('may be in a list that is not indented', () => {
    expect(pathAt(text, 10, 2)).toEqual(['plan', '[]']);
  });
});

describe('what may stand there', () => {
  it('comes from the schema of scenarios', () => {
    expect(keysAt(schema, []).map((each) => each.label)).toContain('trafficPolicy');
    expect(keysAt(schema, ['bees', '[]']).map((each) => each.label)).toEqual(expect.arrayContaining(['id', 'role', 'replicas', 'work']));
    expect(keysAt(schema, ['bees', '[]']).find((each) => each.label === 'replicas')?.help).toContain('How many');
  });
  it('may be one of a few values', () => {
    expect(valuesAt(schema, ['bees', '[]', 'ports', '[]', 'direction'])).toEqual(['in', 'out']);
  });
});

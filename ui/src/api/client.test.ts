import { describe, expect, it } from 'vitest';
import { fieldProblem, heldBy, ProblemError, urlOf } from './client';
import { allows } from './queries';

describe('addresses', () => {
  it('have their parameters escaped, and no empty ones', () => {
    expect(urlOf('/api/v1/scenarios/{scenarioId}/files/{path}', { path: { scenarioId: 'a', path: 'sut/x.yaml' } })).toBe(
      '/api/v1/scenarios/a/files/sut%2Fx.yaml',
    );
    expect(urlOf('/api/v1/audit', { query: { actor: '', limit: 5, cursor: undefined } })).toBe('/api/v1/audit?limit=5');
  });
});

describe('problems', () => {
  it('are shown at the field they are about', () => {
    const error = new ProblemError({
      type: 't', title: 't', status: 400, code: 'invalid', detail: 'd', retryable: false,
      errors: [{ pointer: '/id', detail: 'has a space' }],
    });
    expect(fieldProblem(error, '/id')).toBe('has a space');
    expect(fieldProblem(error, '/owner')).toBeUndefined();
    expect(fieldProblem(new Error('x'), '/id')).toBeUndefined();
  });
});

describe('what is offered', () => {
  it('follows the scopes of who is signed in', () => {
    expect(allows(['*:admin'], 'swarms', 'write')).toBe(true);
    expect(allows(['swarms:read'], 'swarms', 'write')).toBe(false);
    expect(allows(['swarms:write', 'keys:read'], 'keys', 'read')).toBe(true);
    expect(allows([], 'swarms', 'read')).toBe(false);
  });
});

describe('an act that a rule holds back', () => {
  it('is told from other answers by its approval', () => {
    expect(heldBy({ approval: 'a-1', url: '/api/v1/approvals/a-1' })).toBe('a-1');
    expect(heldBy({ correlationId: 'c-1', watch: {} })).toBeUndefined();
    expect(heldBy({ id: 'd-1', webhook: 'w-1' })).toBeUndefined();
    expect(heldBy(undefined)).toBeUndefined();
  });
});

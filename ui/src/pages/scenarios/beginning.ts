// What a new scenario begins with: the smallest that does something.
export function beginning(id: string): Record<string, string> {
  return {
    'scenario.yaml': `id: ${id}
name: ${id}
description: What this scenario shows.

bees:
  - id: generator
    role: generator
    work:
      out: { out: requests }
    config:
      inputs:
        type: SCHEDULER
        scheduler: { ratePerSec: 20 }
      message:
        bodyType: HTTP
        method: GET
        path: /

  - id: processor
    role: processor
    work:
      in: { in: requests }
      out: { out: results }
    config:
      baseUrl: "{{ sut.endpoints['default'].baseUrl }}"
      threadCount: 8
      timeoutMs: 2000

  - id: postprocessor
    role: postprocessor
    work:
      in: { in: results }

topology:
  version: 1
  edges:
    - { id: e1, from: { beeId: generator, port: out }, to: { beeId: processor, port: in } }
    - { id: e2, from: { beeId: processor, port: out }, to: { beeId: postprocessor, port: in } }

thresholds:
  - error_rate < 1%
`,
    'sut/local/sut.yaml': `id: local
name: On this machine
endpoints:
  default: { kind: http, baseUrl: http://127.0.0.1:8089 }
`,
  };
}

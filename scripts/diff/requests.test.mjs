import { describe, expect, test } from 'vitest';
import { AGGREGATION_KINDS } from './aggregations.mjs';
import { QUERY_KINDS } from './compound-queries.mjs';
import { exactJson } from './exact-json.mjs';
import { LOG_MAPPING, PACKAGES_MAPPING } from './file-corpora.mjs';
import { MIXED_MAPPING, mixedDocuments } from './mixed-corpus.mjs';
import { requestOf } from './requests.mjs';
import { Target } from './target.mjs';

const PACKAGES = [
  { id: 'p0', source: { name: 'tool', version: '1', section: 'net', size: 3, description: 'a tool of some sort' } },
];
const REQUESTS = [
  { id: 'l0', source: { client: '10.0.0.1', time: '17/May/2015:10:05:03 +0000', path: '/a', agent: 'x' } },
];
const targets = [
  [3, new Target({ index: 'mixed', mapping: MIXED_MAPPING, documents: mixedDocuments(1, 60) })],
  [1, new Target({ index: 'packages', mapping: PACKAGES_MAPPING, documents: PACKAGES })],
  [1, new Target({ index: 'requests', mapping: LOG_MAPPING, documents: REQUESTS })],
];
const drawn = (seed, count) => Array.from({ length: count }, (_, number) => requestOf(seed, number, targets));

describe('requests', () => {
  test('follow from the seed and the number alone', () => {
    expect(requestOf(3, 41, targets)).toEqual(drawn(3, 42)[41]);
    expect(exactJson(drawn(3, 50))).not.toBe(exactJson(drawn(4, 50)));
  });

  test('come of every kind of query and aggregation, and of every API', () => {
    const all = drawn(1, 3000);
    const classes = new Set(all.map((request) => request.class));
    const wanted = [
      ...QUERY_KINDS.map((kind) => `query ${kind}`),
      ...AGGREGATION_KINDS.map((kind) => `aggregation ${kind}`),
      ...[
        'sort',
        'shown',
        'suggest',
        'spoilt',
        'q=',
        '_count',
        '_validate',
        '_explain',
        '_analyze',
        '_field_caps',
        '_msearch',
        '_simulate',
        '_execute',
        '_search/template',
        '_render/template',
        '_rank_eval',
      ],
    ];
    expect(wanted.filter((name) => !classes.has(name))).toEqual([]);
    for (const { path, body, lines } of all) {
      expect(path).toMatch(/^\/(?:mixed|packages|requests)?/);
      expect(() => JSON.parse(exactJson(body ?? lines ?? {}))).not.toThrow();
    }
  });
});

describe('made documents', () => {
  test('are the same for a seed, and children are on the shard of their parents', () => {
    const made = mixedDocuments(7, 200);
    expect(exactJson(made)).toBe(exactJson(mixedDocuments(7, 200)));
    const byId = new Map(made.map((document) => [document.id, document]));
    const children = made.filter(({ routing }) => routing !== undefined);
    expect(children.length).toBeGreaterThan(20);
    for (const { source, routing } of children) {
      const parent = byId.get(source.relation.parent);
      expect(parent.routing ?? parent.id).toBe(routing);
    }
  });

  test('keep all digits of whole numbers', () => {
    expect(exactJson({ n: [9223372036854775807n, 1] })).toBe('{"n":[9223372036854775807,1]}');
  });
});

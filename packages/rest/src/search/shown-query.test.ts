import { writeJsonText } from '@shoal/core';
import { expect, test } from 'vitest';
import { shownQuery } from './shown-query.ts';

const shown = (query: object): string => writeJsonText(shownQuery(query));

test.each([
  [{ term: { a: 'x' } }, '{"term":{"a":{"value":"x","boost":1.0}}}'],
  [{ term: { a: { value: 1, boost: 2, _name: 'q' } } }, '{"term":{"a":{"value":1,"boost":2.0,"_name":"q"}}}'],
  [{ wildcard: { a: { value: 'x*' } } }, '{"wildcard":{"a":{"wildcard":"x*","boost":1.0}}}'],
  [
    { range: { n: { gte: 1, lt: 5 } } },
    '{"range":{"n":{"from":1,"to":5,"include_lower":true,"include_upper":false,"boost":1.0}}}',
  ],
  [
    { bool: { must_not: { exists: { field: 'a' } }, minimum_should_match: 1 } },
    '{"bool":{"must_not":[{"exists":{"field":"a","boost":1.0}}],"adjust_pure_negative":true,"minimum_should_match":"1","boost":1.0}}',
  ],
  [{ terms: { a: ['x'] } }, '{"terms":{"a":["x"],"boost":1.0}}'],
  [
    { match_phrase: { t: { query: 'a b', analyzer: 'simple' } } },
    '{"match_phrase":{"t":{"query":"a b","analyzer":"simple","slop":0,"zero_terms_query":"NONE","boost":1.0}}}',
  ],
  [
    { geo_distance: { distance: 10, unit: 'mi', g: '52,4', distance_type: 'PLANE' } },
    '{"geo_distance":{"g":[4.0,52.0],"distance":16093.44,"distance_type":"plane","validation_method":"STRICT","ignore_unmapped":false,"boost":1.0}}',
  ],
  [
    { geo_bounding_box: { g: { wkt: 'BBOX (4, 5, 53, 51)' }, type: 'indexed' } },
    '{"geo_bounding_box":{"g":{"top_left":[4.0,53.0],"bottom_right":[5.0,51.0]},"validation_method":"STRICT","type":"INDEXED","ignore_unmapped":false,"boost":1.0}}',
  ],
  [
    { geo_polygon: { g: { points: ['53,4', '51,5', '50,3'] } } },
    '{"geo_polygon":{"g":{"points":[[4.0,53.0],[5.0,51.0],[3.0,50.0],[4.0,53.0]]},"validation_method":"STRICT","ignore_unmapped":false,"boost":1.0}}',
  ],
  [
    { function_score: { exp: { d: { origin: 'now', scale: '10d' } } } },
    '{"function_score":{"query":{"match_all":{"boost":1.0}},"functions":[{"filter":{"match_all":{"boost":1.0}},"exp":{"d":{"origin":"now","scale":"10d"},"multi_value_mode":"MIN"}}],"score_mode":"multiply","max_boost":3.4028235E38,"boost":1.0}}',
  ],
  [
    {
      function_score: { functions: [{ filter: { term: { k: 'b' } }, weight: 2, field_value_factor: { field: 'n' } }] },
    },
    '{"function_score":{"query":{"match_all":{"boost":1.0}},"functions":[{"filter":{"term":{"k":{"value":"b","boost":1.0}}},"weight":2.0,"field_value_factor":{"field":"n","factor":1.0,"modifier":"none"}}],"score_mode":"multiply","max_boost":3.4028235E38,"boost":1.0}}',
  ],
  [
    { script_score: { query: { match_all: {} }, script: '1', min_score: 1 } },
    '{"script_score":{"query":{"match_all":{"boost":1.0}},"script":{"source":"1","lang":"painless"},"min_score":1.0,"boost":1.0}}',
  ],
  [{ rank_feature: { field: 'rf' } }, '{"rank_feature":{"field":"rf","saturation":{},"boost":1.0}}'],
  [
    { common: { k: { query: 'a', minimum_should_match: { low_freq: 1 } } } },
    '{"common":{"k":{"query":"a","high_freq_operator":"OR","low_freq_operator":"OR","cutoff_frequency":0.01,"minimum_should_match":{"low_freq":"1"},"boost":1.0}}}',
  ],
  [
    { span_near: { clauses: [{ field_masking_span: { query: { span_term: { k: 'a' } }, field: 't' } }] } },
    '{"span_near":{"clauses":[{"span_field_masking":{"query":{"span_term":{"k":{"value":"a","boost":1.0}}},"field":"t","boost":1.0}}],"slop":0,"in_order":true,"boost":1.0}}',
  ],
  [
    { percolate: { field: 'p', document: { k: 'a' }, name: 'x' } },
    '{"percolate":{"field":"p","name":"x","documents":[{"k":"a"}],"boost":1.0}}',
  ],
  [
    { intervals: { t: { any_of: { intervals: [{ match: { query: 'a' } }, { prefix: { prefix: 'b' } }] } } } },
    '{"intervals":{"t":{"any_of":{"intervals":[{"match":{"query":"a","max_gaps":-1,"ordered":false}},{"prefix":{"prefix":"b"}}]},"boost":1.0}}}',
  ],
])('%j is shown with the members that it has by default', (query, text) => {
  expect(shown(query)).toBe(text);
});

test('what the table does not know is shown as it was given', () => {
  expect(shown({ nosuch: { like: 'a' } })).toBe('{"nosuch":{"like":"a"}}');
  expect(shown({ exists: { field: 'a', other: 1 } })).toBe('{"exists":{"field":"a","boost":1.0,"other":1}}');
});

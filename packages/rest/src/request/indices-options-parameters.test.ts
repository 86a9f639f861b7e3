import { expect, test } from 'vitest';
import { REST_APIS } from '../rest-apis.ts';

test('whoever lets a request say which indices it means takes all of its options, as clients send them together', () => {
  const taking = REST_APIS.filter(({ params }) => 'allow_no_indices' in (params ?? {}));
  expect(taking.length).toBeGreaterThan(40);
  const lacking = taking.filter(({ params }) => !('ignore_throttled' in (params ?? {})));
  expect(lacking.flatMap(({ paths }) => paths)).toEqual([]);
});

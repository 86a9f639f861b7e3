import { ShoalError } from '@shoal/core';
import { PackedResults } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { BULK_RESULTS } from './bulk-shard.ts';

const refused = (reason: string): ShoalError =>
  new ShoalError('mapper_parsing_exception', 400, 'failed to parse', {
    causedBy: new ShoalError('illegal_argument_exception', 400, reason),
  });

test('an error that many results have is sent once, and arrives with each of them', () => {
  const same = refused('no object');
  const errors = [same, same, refused('no object'), refused('no number')];
  const sent = BULK_RESULTS.write(PackedResults.of(errors.map((error) => ({ kind: 'failed', error }))));
  expect((sent.message as { readonly reasons: readonly unknown[] }).reasons).toHaveLength(2);
  const arrived = [...BULK_RESULTS.read(sent).errors.values()];
  expect(arrived.map(({ causedBy }) => causedBy?.reason)).toEqual(['no object', 'no object', 'no object', 'no number']);
  expect(arrived[0]).toBe(arrived[2]);
});

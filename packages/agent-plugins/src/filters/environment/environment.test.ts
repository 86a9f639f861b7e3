import { expect, test, vi } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { environmentFilter } from './environment.ts';

test('environment puts variables into the metadata, null for those that are not set', async () => {
  vi.stubEnv('SHOAL_TEST_GREETING', 'hello');
  try {
    const add_metadata_from_env = { greeting: 'SHOAL_TEST_GREETING', none: 'SHOAL_TEST_UNSET' };
    const event = eventOf();
    const { outcome } = await makeFilter(environmentFilter, { add_metadata_from_env }).run(event);
    expect([outcome, ...event.metadata]).toEqual(['matched', ['greeting', 'hello'], ['none', null]]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a name that is no text is refused', () => {
  expect(() => makeFilter(environmentFilter, { add_metadata_from_env: { a: ['b'] } })).toThrow(
    'needs the name of a variable for [a]',
  );
});

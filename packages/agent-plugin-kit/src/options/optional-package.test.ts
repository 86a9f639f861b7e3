import { expect, test } from 'vitest';
import { loadOptionalPackage } from './optional-package.ts';

test('a package that is there is loaded', async () => {
  expect(await loadOptionalPackage({ name: 'fast-check', version: '4' }, 'a test')).toHaveProperty('assert');
});

test('one that is not there is named, with the way to install it', async () => {
  await expect(loadOptionalPackage({ name: 'shoal-no-such-package', version: '6' }, 'redis input')).rejects.toThrow(
    'the redis input needs the package [shoal-no-such-package], which is not installed: run [npm install shoal-no-such-package@6]',
  );
});

export default {
  testEnvironment: './environment.mjs',
  testMatch: ['**/*.spec.cjs', '**/*.spec.mjs'],
  globalSetup: './global-setup.mjs',
  globalTeardown: './global-teardown.mjs',
};

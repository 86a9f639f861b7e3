import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['**/*.spec.mjs'], globalSetup: ['./shoal-run.mjs'] },
});

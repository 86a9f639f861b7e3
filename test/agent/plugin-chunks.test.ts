import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inputPlugins, outputPlugins } from '@shoal/agent-plugins';
import { expect, test } from 'vitest';
import { pluginOfUrl } from '../../packages/pipeline-agent/src/api/hot-threads/main-thread-plugins.ts';
import { root } from '../house/source-tree.test-support.ts';

test('every input and output has a chunk of the joined bundle by which hot threads name it', () => {
  const files = readdirSync(join(root, 'packages/cli/dist/bundle')).map((file) => pluginOfUrl(`/bundle/${file}`));
  for (const { kind, name } of [...inputPlugins, ...outputPlugins]) {
    expect(files).toContainEqual({ kind, name: name.replaceAll('_', '-') });
  }
});

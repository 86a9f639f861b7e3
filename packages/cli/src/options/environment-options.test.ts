import { Command } from 'commander';
import { afterEach, describe, expect, test } from 'vitest';
import { flag } from './environment-options.ts';

const VARIABLES = ['SHOAL_HTTP_PORT', 'SHOAL_NO_SAMPLE'];
afterEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

function optionsOf(args: readonly string[]): unknown {
  const command = new Command()
    .addOption(flag('--http-port <port>', 'port', '9200'))
    .addOption(flag('--no-sample', 'empty'));
  return command.parse([...args], { from: 'user' }).opts();
}

describe('a flag of a command', () => {
  test('may be given as a variable', () => {
    process.env.SHOAL_HTTP_PORT = '9250';
    process.env.SHOAL_NO_SAMPLE = 'true';
    expect(optionsOf([])).toEqual({ httpPort: '9250', sample: false });
  });

  test('on the command line beats its variable, and the variable its default', () => {
    expect(optionsOf([])).toEqual({ httpPort: '9200', sample: true });
    process.env.SHOAL_HTTP_PORT = '9250';
    expect(optionsOf(['--http-port', '9299'])).toEqual({ httpPort: '9299', sample: true });
  });
});

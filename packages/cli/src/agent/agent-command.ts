/**
 * `shoal agent`: a pipeline of events, configured in Logstash's language.
 */
import { type Command, Option } from 'commander';
import { collect } from '../options/collect-option.ts';
import type { AgentArguments } from './agent-arguments.ts';
import { addTestCommands } from './test-command.ts';

/** Flags with a value: the flag as commander names it, the setting, what it does. */
const VALUE_FLAGS: readonly (readonly [string, string, string])[] = [
  ['-f, --path.config <path>', 'path.config', 'configuration: a file, a folder or a pattern'],
  ['-e, --config.string <text>', 'config.string', 'configuration as text; reads stdin and prints unless it says else'],
  ['-n, --node.name <name>', 'node.name', 'name of this agent (default: the host name)'],
  ['-w, --pipeline.workers <count>', 'pipeline.workers', 'worker threads (default: one a core)'],
  ['-b, --pipeline.batch.size <count>', 'pipeline.batch.size', 'events of one batch (default: 125)'],
  ['-u, --pipeline.batch.delay <ms>', 'pipeline.batch.delay', 'time to wait for a full batch (default: 50)'],
  ['--pipeline.id <id>', 'pipeline.id', 'name of the pipeline (default: main)'],
  ['--pipeline.ordered <mode>', 'pipeline.ordered', 'auto, true or false'],
  [
    '--pipeline.ecs_compatibility <mode>',
    'pipeline.ecs_compatibility',
    'names of fields: v8 (default), v1 or disabled',
  ],
  ['--config.reload.interval <time>', 'config.reload.interval', 'how often to look for changes (default: 3s)'],
  [
    '--config.field_reference.escape_style <style>',
    'config.field_reference.escape_style',
    'how names of fields write brackets of their own: none, percent (%5B) or ampersand (&#91;)',
  ],
  [
    '--field-reference-escape-style <style>',
    'config.field_reference.escape_style',
    'the same as --config.field_reference.escape_style',
  ],
  ['--queue.type <type>', 'queue.type', 'memory or persisted'],
  ['--path.data <dir>', 'path.data', 'folder of the agent: its id, queues, dead letters (default: data/agent)'],
  ['--path.settings <dir>', 'path.settings', 'folder of agent.yml and pipelines.yml (default: this one)'],
  ['-p, --path.plugins <dirs>', 'path.plugins', 'folders with plugins, separated by commas'],
  [
    '--api.http.host <address>',
    'api.http.host',
    'address of the monitoring API; beyond loopback it needs users and TLS',
  ],
  ['--api.http.port <port>', 'api.http.port', 'its port (default: the first free one of 9600-9700)'],
  ['--log.level <level>', 'log.level', 'debug, info, warn or error (default: info)'],
  ['--log.format <format>', 'log.format', 'json or plain (default: json)'],
  ['-l, --path.logs <dir>', 'path.logs', 'folder of a log file; without it the log goes to stderr alone'],
  ['--api.auth.type <type>', 'api.auth.type', 'none or basic'],
  ['--api.auth.basic.username <name>', 'api.auth.basic.username', 'who may ask the monitoring API'],
  [
    '--api.auth.basic.password <text>',
    'api.auth.basic.password',
    'better set as SHOAL_API_AUTH_BASIC_PASSWORD: all can see a command line',
  ],
  ['--api.ssl.keystore.path <file>', 'api.ssl.keystore.path', 'its certificate and key as PKCS#12'],
  ['--api.ssl.keystore.password <text>', 'api.ssl.keystore.password', 'what opens that file'],
  ['--api.ssl.certificate <file>', 'api.ssl.certificate', 'its certificate as PEM'],
  ['--api.ssl.key <file>', 'api.ssl.key', 'the key of that certificate as PEM'],
  ['--http.host <address>', 'http.host', 'the same as --api.http.host'],
  ['--http.port <port>', 'http.port', 'the same as --api.http.port'],
];

const SWITCHES: readonly (readonly [string, string, string])[] = [
  ['-t, --config.test_and_exit', 'config.test_and_exit', 'check the configuration and end'],
  ['-r, --config.reload.automatic', 'config.reload.automatic', 'reload when the configuration changes'],
  ['--config.support_escapes', 'config.support_escapes', 'replace \\n and the like in strings'],
  ['--api.ssl.enabled', 'api.ssl.enabled', 'serve the monitoring API over TLS alone'],
  ['--insecure', 'insecure', 'listen beyond loopback although there are no users or there is no TLS'],
];

export function addAgentCommand(program: Command): void {
  const command = program
    .command('agent')
    .description('run pipelines of events that are written in Logstash’s language');
  for (const [flag, setting, text] of [...VALUE_FLAGS, ...SWITCHES]) {
    command.addOption(new Option(flag, `${text} [${setting}]`));
  }
  command
    .option('--config <file>', 'settings as YAML (default: agent.yml in the folder of --path.settings)')
    .option('--set <name=value>', 'any setting; may be repeated', collect, [])
    .addHelpText(
      'after',
      '\nCommand line beats environment (SHOAL_PIPELINE_WORKERS) beats file.\n' +
        '\nExamples:\n  shoal agent -f pipeline.conf -r\n  shoal agent -e \'filter { mutate { uppercase => ["message"] } }\'\n',
    )
    .action(async (_options, self: Command) => (await import('./run-agent.ts')).runAgent(argumentsOf(self)));
  // What stands behind the name of a command below is an option of that one.
  addTestCommands(command.enablePositionalOptions());
}

function argumentsOf(command: Command): AgentArguments {
  const flags: Record<string, string> = {};
  for (const option of command.options) {
    const setting = [...VALUE_FLAGS, ...SWITCHES].find(([flag]) => flag === option.flags)?.[1];
    const value: unknown = command.getOptionValue(option.attributeName());
    if (setting !== undefined && (typeof value === 'string' || value === true)) flags[setting] = String(value);
  }
  const given = command.opts<{ config?: string; set: readonly string[] }>();
  return {
    configFile: given.config ?? null,
    flags,
    assignments: given.set,
  };
}

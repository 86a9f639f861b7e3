/**
 * Outputs that there is one of, in a process with several workers: a port that is listened on, a compressed file, a command.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { AgentFolder, numbers, until } from './agent-process.test-support.ts';

const folder = new AgentFolder();
afterAll(() => folder.end());

const COUNT = 2_000;
const sorted = (lines: readonly string[]): readonly string[] => lines.toSorted((a, b) => Number(a) - Number(b));

test('several workers write one port, one compressed file, one command and one plain file', async () => {
  const format = 'codec => line { format => "%{message}" }';
  folder.write(
    'p.conf',
    `input { tcp { port => 0 host => "127.0.0.1" } }
     output {
       tcp { id => "listen" mode => "server" host => "127.0.0.1" port => 0 ${format} }
       file { path => "${folder.path}/out.gz" gzip => true ${format} }
       file { path => "${folder.path}/out.txt" ${format} }
       pipe { command => "cat > ${folder.path}/piped.txt" message_format => "%{message}" }
     }`,
  );
  const agent = await folder.start(['-f', 'p.conf', '-w', '4', '-b', '25']).listening();
  const { inputs, outputs } = (await agent.pipeline()).plugins;
  const listening = outputs.find((output: { readonly id: string }) => output.id === 'listen').port;
  const client = connect(listening, '127.0.0.1');
  await once(client, 'connect');
  const heard: string[] = [];
  createInterface({ input: client }).on('line', (line) => heard.push(line));
  const source = connect(inputs[0].port, '127.0.0.1');
  source.end(`${numbers(0, COUNT).join('\n')}\n`);
  await until(() => folder.lines('out.txt').length === COUNT && heard.length === COUNT, agent, 'writes all');
  expect(await agent.end()).toBe(0);
  const packed = gunzipSync(readFileSync(join(folder.path, 'out.gz'))).toString();
  const written = [heard, packed.trim().split('\n'), folder.lines('out.txt'), folder.lines('piped.txt')];
  for (const lines of written) expect(sorted(lines)).toEqual(numbers(0, COUNT));
  expect(agent.logged('pipeline ended')[0]?.ledger).toMatchObject({ out: COUNT, inFlight: 0, isBalanced: true });
});

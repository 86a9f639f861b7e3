/**
 * rsyslog's omelasticsearch sends lines of a log in bulks, and keeps those that are refused in a file.
 *
 * A bulk whose answer is lost is sent again: each line has an id of its own, so that it is counted once.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ask, startProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const LINES = 500;
const POLL_MS = 200;
const DAEMON = '/usr/sbin/rsyslogd';

const isHere =
  existsSync(DAEMON) && readdirSync('/usr/lib').some((at) => existsSync(`/usr/lib/${at}/rsyslog/omelasticsearch.so`));
const cluster = new ProgramCluster(1);

function configuration(folder: string): string {
  const { hostname, port } = new URL(cluster.url);
  return `
global(workDirectory="${folder}")
module(load="imfile")
module(load="omelasticsearch")
template(name="document" type="list" option.jsonf="on") {
  property(outname="message" name="msg" format="jsonf")
  property(outname="tag" name="programname" format="jsonf")
  property(outname="n" name="msg" field.delimiter="32" field.number="2" format="jsonf")
}
template(name="id" type="string" string="%msg:F,32:2%")
input(type="imfile" file="${join(folder, 'app.log')}" tag="app")
action(type="omelasticsearch" server="${hostname}" serverport="${port}" template="document" searchindex="lines" searchtype="_doc"
  bulkmode="on" dynbulkid="on" bulkid="id" errorfile="${join(folder, 'refused.json')}"
  queue.type="linkedlist" queue.dequeuebatchsize="50" action.resumeretrycount="-1")
`;
}

interface Found {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _source: unknown }[];
  };
}

describe.skipIf(!isHere)(
  isHere ? 'rsyslog' : 'rsyslog (it is not here: apt-get install rsyslog rsyslog-elasticsearch)',
  () => {
    test('sends lines of a file in bulks, and keeps the one that does not fit the mapping', async () => {
      const { folder, url } = cluster;
      await ask(`${url}/lines`, 'PUT', {
        mappings: { properties: { n: { type: 'integer' }, tag: { type: 'keyword' } } },
      });
      const lines = Array.from({ length: LINES }, (_, i) => `message ${i} says "é\\t${i}"`);
      lines.splice(LINES / 2, 0, 'message none has no number');
      writeFileSync(join(folder, 'app.log'), `${lines.join('\n')}\n`);
      writeFileSync(join(folder, 'rsyslog.conf'), configuration(folder));
      const options = ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')];
      const daemon = startProgram(DAEMON, options, { cwd: folder });
      const found = async (body: object): Promise<Found['hits']> => {
        await ask(`${url}/lines/_refresh`, 'POST');
        return (await ask<Found>(`${url}/lines/_search`, 'POST', body)).hits;
      };
      const refused = join(folder, 'refused.json');
      while (daemon.process.exitCode === null) {
        if ((await found({ size: 0 })).total.value >= LINES && existsSync(refused)) break;
        await setTimeout(POLL_MS);
      }
      expect((await found({ size: 0, query: { term: { tag: 'app' } } })).total.value).toBe(LINES);
      const { hits } = await found({ query: { match: { message: 42 } } });
      expect(hits.map(({ _source }) => _source)).toEqual([{ message: lines[42], tag: 'app', n: '42' }]);
      daemon.process.kill('SIGTERM');
      expect((await daemon.end).status).toBe(0);
      const error = readFileSync(refused, 'utf8');
      expect(error).toContain('message none has no number');
      expect(error).toContain('mapper_parsing_exception');
    });
  },
);

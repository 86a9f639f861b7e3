import { createServer as createHttpsServer } from 'node:https';
import { expect, test } from 'vitest';
import { identityOf, open, server, trusting } from '../../tls-plugin.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { elasticsearchInput } from './elasticsearch.ts';

test('the elasticsearch input searches a cluster that it trusts', async () => {
  const site = createHttpsServer(identityOf(server), (request, response) => {
    const found = request.url?.startsWith('/_search/scroll') === true ? [] : [{ _source: { a: 1 } }];
    response.end(JSON.stringify({ _scroll_id: 's', hits: { hits: found } }));
  });
  const hosts = [`https://127.0.0.1:${await open(site)}`];
  const { sink } = await start(elasticsearchInput, { hosts, search_api: 'scroll', ...trusting() });
  await sink.until(1);
  expect(sink.events[0]?.fields.get('a')).toBe(1);
});

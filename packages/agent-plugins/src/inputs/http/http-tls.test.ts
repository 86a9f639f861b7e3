import { HttpClient } from '@shoal/agent-plugin-kit';
import { expect, onTestFinished, test } from 'vitest';
import type { OptionsLiteral } from '../../plugin-instance.test-support.ts';
import { asking, authority, client, serving, unknown } from '../../tls-plugin.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { httpInput } from './http.ts';

test('the http input over TLS takes requests of clients with a certificate that it trusts', async () => {
  const { sink, port } = await start(httpInput, serving(asking('required')));
  const call = (tls: OptionsLiteral): Promise<number> => {
    const caller = new HttpClient({ tls: { rejectUnauthorized: true, ca: authority.certificate, ...tls } });
    onTestFinished(() => void caller.close());
    const body = Buffer.from('hello');
    const url = `https://127.0.0.1:${port}/`;
    return caller.call({ method: 'POST', url, body, timeoutMs: 5_000 }).then((answer) => answer.status);
  };
  await expect(call({})).rejects.toThrow();
  await expect(call({ cert: unknown.certificate, key: unknown.key })).rejects.toThrow();
  expect(await call({ cert: client.certificate, key: client.key })).toBe(200);
  expect(sink.messages()).toEqual(['hello']);
});

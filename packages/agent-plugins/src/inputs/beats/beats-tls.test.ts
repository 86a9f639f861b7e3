import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { TestCertificate } from '../../../../agent-plugin-kit/src/tls/test-certificates.test-support.ts';
import { asking, authority, client, serving } from '../../tls-plugin.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { beatsInput } from './beats.ts';

test('the beats input over TLS acknowledges, and names the sender with enrich', async () => {
  const enrich = { enrich: ['all'], ...asking('optional') };
  const { sink, port } = await start(beatsInput, serving(enrich));
  const send = async (as?: TestCertificate): Promise<Buffer> => {
    const given = as === undefined ? {} : { cert: as.certificate, key: as.key };
    const socket: TLSSocket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate, ...given });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    const json = Buffer.from('{"message":"m"}');
    const head = Buffer.from([0x32, 0x57, 0, 0, 0, 1, 0x32, 0x4a, 0, 0, 0, 1, 0, 0, 0, json.length]);
    socket.write(Buffer.concat([head, json]));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer;
  };
  expect(await send(client)).toEqual(Buffer.from([0x32, 0x41, 0, 0, 0, 1]));
  await send();
  const peers = sink.events.map((event) => event.metadata.get('tls_peer'));
  expect(peers).toEqual([
    new Map([
      ['status', 'verified'],
      ['protocol', 'TLSv1.3'],
      ['subject', 'CN=client'],
      ['cipher_suite', 'TLS_AES_256_GCM_SHA384'],
    ]),
    new Map([['status', 'unverified']]),
  ]);
});

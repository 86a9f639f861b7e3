import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { KEYS } from '../../aws/sqs-server.test-support.ts';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, line, listen, start } from '../output-under-test.test-support.ts';
import { snsOutput } from './sns.ts';

async function startSns(...statuses: number[]) {
  const seen: Record<string, string>[] = [];
  const signatures: string[] = [];
  const port = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))));
      signatures.push(String(request.headers.authorization));
      const status = statuses.shift() ?? 200;
      response.writeHead(status, { connection: 'close' });
      response.end(status === 200 ? '<PublishResponse/>' : '<Error><Code>No</Code><Message>why</Message></Error>');
    }),
  );
  return { seen, signatures, options: { ...KEYS, endpoint: `http://127.0.0.1:${port}`, codec: line } };
}

describe('the sns output', () => {
  test('publishes each event to the topic of the output, signed', async () => {
    const { seen, signatures, options } = await startSns();
    const { output } = await start(snsOutput, { ...options, arn: 'arn:a' });
    await output.receive([event({ message: 'm', host: 'h' }), event({ message: 'ä&=' })]);
    const call = { Action: 'Publish', Version: '2010-03-31', TopicArn: 'arn:a' };
    expect(seen).toEqual([
      { ...call, Subject: 'h', Message: 'm\n' },
      { ...call, Subject: 'NO SUBJECT', Message: 'ä&=\n' },
    ]);
    expect(signatures[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/sns\/aws4_request,/);
  });

  test('an event may name its own topic, subject and message, as text or as anything else', async () => {
    const { seen, options } = await startSns();
    const { output } = await start(snsOutput, { ...options, arn: 'arn:a' });
    await output.receive([event({ sns: 'arn:b', sns_subject: { a: 1 }, sns_message: 'own' })]);
    await output.receive([event({ sns_subject: 's'.repeat(200), sns_message: { b: 2 } })]);
    expect(seen).toMatchObject([
      { TopicArn: 'arn:b', Subject: '{"a":1}', Message: 'own' },
      { TopicArn: 'arn:a', Subject: 's'.repeat(100), Message: '{"b":2}' },
    ]);
  });

  test('cuts a message that is too long, between two characters', async () => {
    const { seen, options } = await startSns();
    const { output } = await start(snsOutput, { ...options, arn: 'arn:a' });
    await output.receive([event({ sns_message: `x${'é'.repeat(20_000)}` })]);
    expect(seen[0]?.Message).toBe(`x${'é'.repeat(16_383)}`);
  });

  test('drops what is refused for what it is, and what has no topic; sends the rest again', async () => {
    const { seen, options } = await startSns(400, 500, 200);
    const { output, context } = await start(snsOutput, options);
    await output.receive([event({ message: 'none' }), event({ sns: 'a', message: 'bad' })]);
    await output.receive([event({ sns: 'a', message: 'late' })]);
    expect([seen.map(({ Message }) => Message), context.counts.get('dropped')]).toEqual([
      ['bad\n', 'late\n', 'late\n'],
      2,
    ]);
  });

  test('says hello to the topic that is to hear of a start, and does not start when it cannot', async () => {
    const { seen, options } = await startSns(200, 403);
    const booting = { ...options, publish_boot_message_arn: 'arn:boot' };
    await start(snsOutput, booting);
    expect(seen).toMatchObject([{ TopicArn: 'arn:boot', Message: 'Logstash successfully booted' }]);
    const output = makeOutput(snsOutput, booting, testContext());
    await expect(output.start?.()).rejects.toThrow('SNS answered with No: why');
    await output.stop?.();
  });
});

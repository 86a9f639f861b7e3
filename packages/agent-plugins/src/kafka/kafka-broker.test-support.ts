/**
 * A Kafka broker for the tests of one file: a single node that is its own controller, from the jars of `scripts/fetch-kafka.mjs`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/support/free-port.test-support.ts';
import { isPortOpen } from '../breakable-port.test-support.ts';

const jars =
  process.env.SHOAL_KAFKA_JARS ?? fileURLToPath(new URL('../../../../node_modules/.cache/kafka-jars', import.meta.url));

const PROBE_MS = 100;

export interface KafkaBroker {
  readonly address: string;
  /** The same broker, where a user `logs` has the password `secret`. */
  readonly saslAddress: string;
  end(): Promise<void>;
}

/** Why there is no broker here; null when there is. */
export async function whyNoKafka(): Promise<string | null> {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
  } catch {
    return 'the command java is not installed';
  }
  if (!existsSync(jars) || !readdirSync(jars).some((name) => name.startsWith('kafka_')))
    return 'the jars of Kafka are not there: node scripts/fetch-kafka.mjs';
  try {
    await import('@platformatic/kafka' as string);
    return null;
  } catch {
    return 'the package @platformatic/kafka is not installed';
  }
}

export async function startKafka(): Promise<KafkaBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-kafka-'));
  const [port, saslPort, controllerPort] = [await freePort(), await freePort(), await freePort()];
  const settings = join(folder, 'server.properties');
  const listeners = `PLAINTEXT://127.0.0.1:${port},SASL_PLAINTEXT://127.0.0.1:${saslPort}`;
  writeFileSync(
    settings,
    [
      'process.roles=broker,controller',
      'node.id=1',
      `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
      `listeners=${listeners},CONTROLLER://127.0.0.1:${controllerPort}`,
      `advertised.listeners=${listeners}`,
      'controller.listener.names=CONTROLLER',
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT',
      `log.dirs=${join(folder, 'data')}`,
      'num.partitions=3',
      'offsets.topic.replication.factor=1',
      'offsets.topic.num.partitions=1',
      'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1',
      'group.initial.rebalance.delay.ms=0',
      'message.max.bytes=100000',
      'sasl.enabled.mechanisms=PLAIN',
      'listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule ' +
        'required username="broker" password="broker" user_broker="broker" user_logs="secret";',
    ].join('\n'),
  );
  const java = ['-Xmx256m', '-cp', join(jars, '*')];
  execFileSync('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', 'AAAAAAAAAAAAAAAAAAAAAA', '-c', settings], {
    stdio: 'ignore',
  });
  const child = spawn('java', [...java, 'kafka.Kafka', settings], { stdio: 'ignore' });
  await listening(child, port);
  return {
    address: `127.0.0.1:${port}`,
    saslAddress: `127.0.0.1:${saslPort}`,
    async end() {
      if (child.exitCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The broker opens its port when it is ready to answer. */
async function listening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    if (await isPortOpen(port)) return;
    // A busy loop would take the processor from the broker that is to start.
    await setTimeout(PROBE_MS);
  }
  throw new Error(`the broker ended with ${child.exitCode}`);
}

/**
 * Connections to RabbitMQ, through the package `amqplib`: the options that both plugins share, and what they use of it.
 */
import { readFileSync } from 'node:fs';
import {
  loadOptionalPackage,
  type OptionDeclarations,
  optionError,
  type PluginContext,
  type PluginOptions,
  refusedOptions,
} from '@shoal/agent-plugin-kit';

const PACKAGE = { name: 'amqplib', version: '2' };

export const EXCHANGE_TYPES = ['fanout', 'direct', 'topic', 'headers', 'x-consistent-hash', 'x-modulus-hash'] as const;

export const rabbitmqOptions: OptionDeclarations = {
  host: { type: 'array', isRequired: true },
  port: { type: 'number', default: 5672 },
  user: { type: 'string', default: 'guest' },
  password: { type: 'password', default: 'guest' },
  vhost: { type: 'string', default: '/' },
  ssl: { type: 'boolean', default: false },
  ssl_version: { type: ['TLSv1.2', 'TLSv1.3'] },
  ssl_certificate_path: { type: 'path' },
  ssl_certificate_password: { type: 'password' },
  automatic_recovery: { type: 'boolean', default: true },
  connect_retry_interval: { type: 'number', default: 1 },
  connection_timeout: { type: 'number' },
  heartbeat: { type: 'number' },
  passive: { type: 'boolean', default: false },
  arguments: { type: 'hash', default: {} },
  ...refusedOptions(
    ['debug', 'tls_certificate_path', 'tls_certificate_password', 'verify_ssl'],
    'it is obsolete; remove it',
  ),
};

export interface RabbitMessage {
  readonly content: Buffer;
  readonly fields: {
    readonly deliveryTag: number;
    readonly redelivered: boolean;
    readonly exchange: string;
    readonly routingKey: string;
    readonly consumerTag?: string;
  };
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface RabbitChannel {
  assertExchange(name: string, type: string, options: object): Promise<unknown>;
  assertQueue(name: string, options: object): Promise<{ readonly queue: string }>;
  checkQueue(name: string): Promise<{ readonly queue: string }>;
  bindQueue(queue: string, exchange: string, key: string): Promise<unknown>;
  prefetch(count: number): Promise<unknown>;
  /** The message is null when the server takes the queue away. */
  consume(queue: string, take: (message: RabbitMessage | null) => void): Promise<{ readonly consumerTag: string }>;
  cancel(consumerTag: string): Promise<unknown>;
  ack(message: RabbitMessage, allUpTo: boolean): void;
  publish(exchange: string, key: string, content: Buffer, options: object): boolean;
  waitForConfirms(): Promise<void>;
  on(name: 'error' | 'close', listener: (error?: Error) => void): unknown;
}

export interface RabbitConnection {
  createChannel(): Promise<RabbitChannel>;
  createConfirmChannel(): Promise<RabbitChannel>;
  close(): Promise<void>;
  on(name: 'error' | 'close', listener: (error?: Error) => void): unknown;
  on(name: 'blocked', listener: (reason: string) => void): unknown;
}

interface AmqpPackage {
  connect(address: object, socketOptions: object): Promise<RabbitConnection>;
}

/** @throws ShoalError when the package is not installed: plugins ask before they start. */
export async function requireRabbitmq(plugin: string): Promise<void> {
  await loadOptionalPackage(PACKAGE, plugin);
}

/** @throws ShoalError for options that cannot be met */
export function checkRabbitmqOptions(options: PluginOptions): void {
  if (options.strings('host').length === 0) throw optionError('[host] names no host');
  if (!options.boolean('automatic_recovery'))
    throw optionError('[automatic_recovery => false] is not supported: a lost connection is made anew');
}

/** @param attempt which of the hosts is tried: those of the list take turns */
export async function connectRabbitmq(
  options: PluginOptions,
  context: PluginContext,
  plugin: string,
  attempt: number,
): Promise<RabbitConnection> {
  const { connect } = (await loadOptionalPackage(PACKAGE, plugin)) as AmqpPackage;
  const hosts = options.strings('host');
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(hosts[attempt % hosts.length] ?? '') ?? [];
  const connection = await connect(
    {
      protocol: options.boolean('ssl') ? 'amqps' : 'amqp',
      hostname: name,
      port: port === undefined ? options.number('port') : Number(port),
      username: options.string('user'),
      password: options.string('password'),
      vhost: options.string('vhost'),
      heartbeat: options.has('heartbeat') ? options.number('heartbeat') : 0,
    },
    {
      ...(options.has('connection_timeout') ? { timeout: options.number('connection_timeout') } : {}),
      ...(options.boolean('ssl') ? tlsOptions(options) : {}),
    },
  );
  const { log } = context.runtime;
  connection.on('error', (error) =>
    log.warn('a connection to rabbitmq failed', { plugin: context.pluginId, error: error?.message ?? '' }),
  );
  connection.on('blocked', (reason) =>
    log.warn('rabbitmq takes no more for now', { plugin: context.pluginId, reason }),
  );
  return connection;
}

/** Certificates of servers are not verified, as in Logstash: there is no option that would name their authorities. */
function tlsOptions(options: PluginOptions): object {
  return {
    rejectUnauthorized: false,
    ...(options.has('ssl_version')
      ? { minVersion: options.string('ssl_version'), maxVersion: options.string('ssl_version') }
      : {}),
    ...(options.has('ssl_certificate_path') ? { pfx: readFileSync(options.string('ssl_certificate_path')) } : {}),
    ...(options.has('ssl_certificate_password') ? { passphrase: options.string('ssl_certificate_password') } : {}),
  };
}

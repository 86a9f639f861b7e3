/**
 * Clients of Kafka, through the package `@platformatic/kafka`: the part of it that both plugins use.
 */
import { loadOptionalPackage } from '@shoal/agent-plugin-kit';

const PACKAGE = { name: '@platformatic/kafka', version: '1' };

export interface KafkaMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  readonly key: Buffer | null | undefined;
  readonly value: Buffer | null | undefined;
  readonly headers: ReadonlyMap<Buffer, Buffer>;
}

/** Readable stream of messages: `read` answers null when none is there. */
export interface KafkaStream {
  read(): KafkaMessage | null;
  on(name: 'readable' | 'close' | 'end', listener: () => void): unknown;
  on(name: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export interface KafkaOffset {
  readonly topic: string;
  readonly partition: number;
  /** The first message that is not done. */
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

export interface KafkaConsumer {
  consume(options: object): Promise<KafkaStream>;
  commit(options: { readonly offsets: readonly KafkaOffset[] }): Promise<void>;
  /** Partitions that the group gave to this member; null before it joined. */
  readonly assignments: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | null;
  close(isForced: boolean): Promise<void>;
}

export interface KafkaRecord {
  readonly topic: string;
  readonly value: Buffer;
  readonly key?: Buffer;
  readonly headers?: ReadonlyMap<Buffer, Buffer>;
}

export type KafkaPartitioner = (record: KafkaRecord, key: Buffer | undefined) => number;

export interface KafkaProducer {
  send(options: { readonly messages: readonly KafkaRecord[] }): Promise<unknown>;
  close(isForced: boolean): Promise<void>;
}

export interface KafkaAdmin {
  listTopics(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface KafkaPackage {
  readonly Consumer: new (options: object) => KafkaConsumer;
  readonly Producer: new (options: object) => KafkaProducer;
  readonly Admin: new (options: object) => KafkaAdmin;
  /** Partition of a key as the Java client has it; the caller takes the remainder. */
  compatibilityPartitioner(record: KafkaRecord, key: Buffer | undefined): number;
}

/** @throws ShoalError when the package is not installed */
export async function loadKafka(plugin: string): Promise<KafkaPackage> {
  return (await loadOptionalPackage(PACKAGE, plugin)) as KafkaPackage;
}

/** Errors of a broker that are about the record: to send it again would be no use. */
const REFUSALS: readonly unknown[] = [
  'CORRUPT_MESSAGE',
  'INVALID_RECORD',
  'INVALID_REQUIRED_ACKS',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'MESSAGE_TOO_LARGE',
  'POLICY_VIOLATION',
  'RECORD_LIST_TOO_LARGE',
  'TOPIC_AUTHORIZATION_FAILED',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
];

export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('apiId' in error && REFUSALS.includes(error.apiId)) return true;
  if (error instanceof AggregateError && error.errors.some(isRefusal)) return true;
  return error.cause !== undefined && isRefusal(error.cause);
}

/** The message of an error with those of its causes, which say what happened. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error.message, ...inner.slice(0, 3).map(errorText)].join(' ');
}

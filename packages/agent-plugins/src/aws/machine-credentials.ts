/**
 * Credentials that a machine or a container of AWS has for whoever runs in it: its metadata service lends them.
 */
import { readFile } from 'node:fs/promises';
import { HttpClient, optionError } from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import type { LentCredentials } from './credential-source.ts';

const CONTAINER_HOST = 'http://169.254.170.2';
const INSTANCE_HOST = 'http://169.254.169.254';
const ROLE_PATH = '/latest/meta-data/iam/security-credentials/';
/** Outside of AWS nobody answers: the wait for that is short. */
const TIMEOUT_MS = 1_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const TOKEN_SECONDS = '21600';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The metadata service is on the machine itself: no proxy stands before it. */
export function metadataClient(): HttpClient {
  return new HttpClient({ idleMs: 0, connectMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
}

/** Credentials of the task or pod; null outside of a container that has some. */
export function containerCredentials(
  http: HttpClient,
  environment: Environment,
): (() => Promise<LentCredentials>) | null {
  const relative = environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative === undefined ? environment.AWS_CONTAINER_CREDENTIALS_FULL_URI : CONTAINER_HOST + relative;
  if (url === undefined) return null;
  if (!isNear(url)) throw optionError(`AWS_CONTAINER_CREDENTIALS_FULL_URI is [${url}], which is not on this machine`);
  return async () => {
    const path = environment.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
    const token = path === undefined ? environment.AWS_CONTAINER_AUTHORIZATION_TOKEN : await readFile(path, 'utf8');
    const headers: Record<string, string> = token === undefined ? {} : { authorization: token.trim() };
    return lentOf(await ask(http, { url, headers }));
  };
}

/** Credentials of the role of the instance, by version 2 of its metadata service. */
export async function instanceCredentials(http: HttpClient, environment: Environment): Promise<LentCredentials> {
  const host = (environment.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? INSTANCE_HOST).replace(/\/$/, '');
  const token = await ask(http, {
    method: 'PUT',
    url: `${host}/latest/api/token`,
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS },
  });
  const headers = { 'x-aws-ec2-metadata-token': token };
  const [role = ''] = (await ask(http, { url: host + ROLE_PATH, headers })).trim().split('\n');
  if (role === '') throw none('the instance has no role');
  return lentOf(await ask(http, { url: host + ROLE_PATH + encodeURIComponent(role), headers }));
}

/** Tokens are sent there: over a plain connection only to addresses that do not leave the machine. */
function isNear(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return true;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\]|169\.254\.170\.(?:2|23)|\[fd00:ec2::23\])$/.test(hostname);
}

interface MetadataRequest {
  readonly method?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function ask(http: HttpClient, { method = 'GET', url, headers }: MetadataRequest): Promise<string> {
  try {
    const answer = await http.call({ method, url, headers, timeoutMs: TIMEOUT_MS });
    if (answer.status === 200) return Buffer.from(answer.body).toString('utf8');
    throw none(`the metadata service answered with status ${answer.status}`);
  } catch (error) {
    throw none(messageOf(error));
  }
}

function lentOf(text: string): LentCredentials {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = objectOf(text);
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string') throw none('the answer holds none');
  const endsAtMs = Date.parse(String(Expiration));
  return {
    credentials: {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: typeof Token === 'string' ? Token : null,
    },
    endsAtMs: Number.isNaN(endsAtMs) ? null : endsAtMs,
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // An answer that is no JSON holds no credentials, which is said by whoever reads them.
    return {};
  }
}

function none(why: string): ShoalError {
  return new ShoalError('http_exception', 502, `there are no credentials of AWS: ${why}`);
}

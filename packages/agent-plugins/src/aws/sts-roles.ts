/**
 * Roles of AWS that are taken on: the service for security tokens lends credentials for them, to who has other credentials
 * or a token of an identity provider in a file.
 */
import { readFile } from 'node:fs/promises';
import type { HttpClient } from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { CredentialSource, LentCredentials } from './credential-source.ts';
import { childrenOf, parseS3Xml, type S3Element, textOf } from './s3-xml.ts';
import { signedHeaders } from './signature-v4.ts';

const VERSION = '2011-06-15';
const TIMEOUT_MS = 30_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

export interface RoleSettings {
  readonly http: HttpClient;
  /** Address of the service. */
  readonly endpoint: string;
  readonly region: string;
  readonly clock: Clock;
  readonly roleArn: string;
  readonly sessionName: string;
}

/** Credentials of a role, for the credentials of `base`. */
export async function assumeRole(settings: RoleSettings, base: CredentialSource): Promise<LentCredentials> {
  const body = form({ Action: 'AssumeRole', RoleArn: settings.roleArn, RoleSessionName: settings.sessionName });
  const url = new URL(`${settings.endpoint}/`);
  const { region, clock } = settings;
  const headers = signedHeaders(
    { method: 'POST', url, headers: FORM, body, service: 'sts', region, nowMs: clock.wallMs() },
    await base.current(),
  );
  return lent(settings, 'AssumeRole', { headers, body });
}

/** Credentials of a role, for the token in a file, which is read anew each time: it is replaced there. */
export async function assumeRoleOfToken(settings: RoleSettings, tokenPath: string): Promise<LentCredentials> {
  const body = form({
    Action: 'AssumeRoleWithWebIdentity',
    RoleArn: settings.roleArn,
    RoleSessionName: settings.sessionName,
    WebIdentityToken: (await readToken(tokenPath)).trim(),
  });
  return lent(settings, 'AssumeRoleWithWebIdentity', { headers: FORM, body });
}

async function readToken(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new ShoalError('illegal_argument_exception', 400, `the token of AWS_WEB_IDENTITY_TOKEN_FILE: ${why}`);
  }
}

function form(parameters: Readonly<Record<string, string>>): Uint8Array {
  return Buffer.from(new URLSearchParams({ Version: VERSION, ...parameters }).toString(), 'utf8');
}

async function lent(
  { http, endpoint }: RoleSettings,
  action: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
): Promise<LentCredentials> {
  const answer = await http.call({ method: 'POST', url: `${endpoint}/`, ...request, timeoutMs: TIMEOUT_MS });
  const xml = parseS3Xml(answer.body);
  const found = childrenOf(childrenOf(xml, `${action}Result`)[0] ?? null, 'Credentials')[0] ?? null;
  const credentials = credentialsOf(found);
  if (answer.status === 200 && credentials !== null) return credentials;
  const error = childrenOf(xml, 'Error')[0] ?? null;
  const why = textOf(error, 'Message') ?? answer.reason;
  const code = textOf(error, 'Code') ?? String(answer.status);
  throw new ShoalError('http_exception', 502, `the security token service answered ${action} with ${code}: ${why}`);
}

function credentialsOf(element: S3Element | null): LentCredentials | null {
  const accessKeyId = textOf(element, 'AccessKeyId');
  const secretAccessKey = textOf(element, 'SecretAccessKey');
  const endsAtMs = Date.parse(textOf(element, 'Expiration') ?? '');
  if (accessKeyId === null || secretAccessKey === null || Number.isNaN(endsAtMs)) return null;
  return { credentials: { accessKeyId, secretAccessKey, sessionToken: textOf(element, 'SessionToken') }, endsAtMs };
}

/**
 * Options of plugins that talk to AWS: where, and as whom.
 */
import { readFileSync } from 'node:fs';
import { type OptionDeclarations, optionError, type PluginOptions, refusedOptions } from '@shoal/agent-plugin-kit';
import { parse } from 'yaml';
import type { AwsCredentials } from './signature-v4.ts';

export const awsOptions: OptionDeclarations = {
  region: { type: 'string', default: 'us-east-1' },
  access_key_id: { type: 'string' },
  secret_access_key: { type: 'password' },
  session_token: { type: 'password' },
  aws_credentials_file: { type: 'path' },
  endpoint: { type: 'string' },
  proxy_uri: { type: 'string' },
  ...refusedOptions(['role_arn', 'role_session_name'], 'roles are not taken on; give keys of the role'),
  ...refusedOptions(['additional_settings', 'use_aws_bundled_ca']),
};

/** @throws ShoalError when there are none */
export function awsCredentials(options: PluginOptions): AwsCredentials {
  const given = credentialsOf({
    access_key_id: options.has('access_key_id') ? options.string('access_key_id') : undefined,
    secret_access_key: options.has('secret_access_key') ? options.string('secret_access_key') : undefined,
    session_token: options.has('session_token') ? options.string('session_token') : undefined,
  });
  const found =
    given ??
    (options.has('aws_credentials_file') ? fileCredentials(options.string('aws_credentials_file')) : null) ??
    environmentCredentials('AWS') ??
    environmentCredentials('AMAZON');
  if (found !== null) return found;
  throw optionError(
    'credentials of AWS are needed: [access_key_id] and [secret_access_key], [aws_credentials_file], or the variables ' +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment',
  );
}

/** Address of a service, without a slash at its end. */
export function awsEndpoint(
  options: PluginOptions,
  service: string,
  region: string = options.string('region'),
): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const text = options.has('endpoint') ? options.string('endpoint') : `https://${service}.${region}.${domain}`;
  try {
    return new URL(text.includes('://') ? text : `https://${text}`).href.replace(/\/$/, '');
  } catch {
    throw optionError(`[endpoint => ${text}] is no address`);
  }
}

function fileCredentials(path: string): AwsCredentials {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw optionError(
      `[aws_credentials_file] cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  // Keys are written as symbols of Ruby.
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const found = credentialsOf(Object.fromEntries(entries.map(([name, one]) => [name.replace(/^:/, ''), one])));
  if (found === null) throw optionError(`[aws_credentials_file => ${path}] has no access_key_id and secret_access_key`);
  return found;
}

function environmentCredentials(prefix: string): AwsCredentials | null {
  const named = (name: string): string | undefined => process.env[`${prefix}_${name}`] || undefined;
  return credentialsOf({
    access_key_id: named('ACCESS_KEY_ID'),
    secret_access_key: named('SECRET_ACCESS_KEY'),
    session_token: named('SESSION_TOKEN'),
  });
}

function credentialsOf(values: Readonly<Record<string, unknown>>): AwsCredentials | null {
  const { access_key_id, secret_access_key, session_token } = values;
  if (access_key_id === undefined || secret_access_key === undefined) return null;
  return {
    accessKeyId: String(access_key_id),
    secretAccessKey: String(secret_access_key),
    sessionToken: session_token === undefined ? null : String(session_token),
  };
}

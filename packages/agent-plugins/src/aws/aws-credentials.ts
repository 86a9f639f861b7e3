/**
 * Credentials with which a plugin talks to AWS: keys of its options or of a file, then what the tools of AWS find (variables,
 * token of a pod, the shared file, the container or the machine), and on top of any of them a role that is taken on.
 */

import { readFileSync } from 'node:fs';
import { HttpClient, optionError, type PluginContext, type PluginOptions, parseProxy } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import { parse } from 'yaml';
import { namedProfile } from './additional-settings.ts';
import { awsDomain } from './aws-options.ts';
import { type CredentialSource, lastingCredentials, RenewedCredentials } from './credential-source.ts';
import { containerCredentials, instanceCredentials, metadataClient } from './machine-credentials.ts';
import { sharedProfile } from './shared-credentials.ts';
import type { AwsCredentials } from './signature-v4.ts';
import { assumeRole, assumeRoleOfToken, type RoleSettings } from './sts-roles.ts';

/** @throws ShoalError when it is clear at the start that there are none */
export function awsCredentials(options: PluginOptions, context: PluginContext): CredentialSource {
  const base = baseCredentials(options, context);
  if (!options.has('role_arn')) return base;
  const role = roleSettings(options, context, {
    roleArn: options.string('role_arn'),
    sessionName: options.string('role_session_name'),
  });
  return new RenewedCredentials(
    () => assumeRole(role, base),
    context.runtime.clock,
    () => {
      role.http.close();
      base.close();
    },
  );
}

function baseCredentials(options: PluginOptions, context: PluginContext): CredentialSource {
  const given = credentialsOf({
    access_key_id: options.has('access_key_id') ? options.string('access_key_id') : undefined,
    secret_access_key: options.has('secret_access_key') ? options.string('secret_access_key') : undefined,
    session_token: options.has('session_token') ? options.string('session_token') : undefined,
  });
  if (given !== null) return lastingCredentials(given);
  if (options.has('access_key_id') || options.has('secret_access_key')) {
    const { runtime, pluginId: plugin, position } = context;
    runtime.log.warn('one of [access_key_id] and [secret_access_key] is missing: neither is used', {
      plugin,
      position,
    });
  }
  if (options.has('aws_credentials_file'))
    return lastingCredentials(fileCredentials(options.string('aws_credentials_file')));
  const profile = namedProfile(options);
  return profile === null ? foundCredentials(options, context) : profileCredentials(profile);
}

/** A profile that is named goes before what the environment has. */
function profileCredentials(name: string): CredentialSource {
  const profile = sharedProfile(process.env, name);
  const found = profile === null ? null : credentialsOf(withoutPrefix(profile));
  if (found === null)
    throw optionError(`[additional_settings] has [profile => ${name}], of which the shared file has no credentials`);
  return lastingCredentials(found);
}

/** In the order of the libraries of AWS. */
function foundCredentials(options: PluginOptions, context: PluginContext): CredentialSource {
  const environment = process.env;
  const lasting = environmentCredentials('AWS') ?? environmentCredentials('AMAZON');
  if (lasting !== null) return lastingCredentials(lasting);
  const { clock } = context.runtime;
  const { AWS_ROLE_ARN: roleArn, AWS_WEB_IDENTITY_TOKEN_FILE: tokenPath } = environment;
  if (roleArn !== undefined && tokenPath !== undefined) {
    const sessionName = environment.AWS_ROLE_SESSION_NAME ?? 'logstash';
    const role = roleSettings(options, context, { roleArn, sessionName });
    return new RenewedCredentials(
      () => assumeRoleOfToken(role, tokenPath),
      clock,
      () => role.http.close(),
    );
  }
  const profile = sharedProfile(environment, environment.AWS_PROFILE ?? environment.AWS_DEFAULT_PROFILE ?? 'default');
  const shared = profile === null ? null : credentialsOf(withoutPrefix(profile));
  if (shared !== null) return lastingCredentials(shared);
  const http = metadataClient();
  const container = containerCredentials(http, environment);
  if (container !== null) return new RenewedCredentials(container, clock, () => http.close());
  if (environment.AWS_EC2_METADATA_DISABLED === 'true')
    throw optionError(
      'credentials of AWS are needed: [access_key_id] and [secret_access_key], [aws_credentials_file], or the variables ' +
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment',
    );
  return new RenewedCredentials(
    () => instanceCredentials(http, environment),
    clock,
    () => http.close(),
  );
}

function roleSettings(
  options: PluginOptions,
  { runtime }: PluginContext,
  role: Pick<RoleSettings, 'roleArn' | 'sessionName'>,
): RoleSettings {
  const region = options.string('region');
  const endpoint = process.env.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.${awsDomain(region)}`;
  const http = new HttpClient({ proxy: options.has('proxy_uri') ? parseProxy(options.string('proxy_uri')) : null });
  return { ...role, http, endpoint: endpoint.replace(/\/$/, ''), region, clock: runtime.clock };
}

/** Names in the shared file, as they are elsewhere. */
function withoutPrefix(profile: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  return {
    access_key_id: profile.get('aws_access_key_id'),
    secret_access_key: profile.get('aws_secret_access_key'),
    session_token: profile.get('aws_session_token'),
  };
}

function fileCredentials(path: string): AwsCredentials {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw optionError(`[aws_credentials_file] cannot be read: ${messageOf(error)}`);
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

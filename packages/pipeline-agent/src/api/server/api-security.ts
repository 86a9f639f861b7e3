/**
 * Who may ask the monitoring API and how: users, TLS, and where it may listen.
 *
 * Beyond this machine it needs both: what a pipeline is made of and how it fares is not for everybody. Passwords are
 * compared as digests in constant time, and stand in no error and no log line.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback, type SettingDefinition, type Settings, ShoalError } from '@shoal/core';
import { HostRule, RequestGate, readAllowedHosts, type TlsIdentity } from '@shoal/http';
import { DiskError, type Runtime } from '@shoal/runtime';
import * as all from '../../settings/agent-settings.ts';

export interface ApiSecurity {
  readonly host: string;
  /** null: plain HTTP. */
  readonly tls: TlsIdentity | null;
  /** null: everybody. */
  readonly users: ApiUsers | null;
  /** Which hosts and pages may ask. */
  readonly gate: RequestGate;
}

export interface ApiUsers {
  /** Whether the value of an `Authorization` header names a user and its password. */
  admits(authorization: string | undefined): boolean;
}

/** The value of `WWW-Authenticate`, as Logstash names its realm. */
export const CHALLENGE = 'Basic realm="logstash-api", charset="UTF-8"';

const EVERY_ADDRESS = '0.0.0.0';
/** How a Java key store begins. */
const JAVA_KEYSTORE_START: readonly number[] = [0xfe, 0xed, 0xfe, 0xed];
/** Longer headers are no credentials. */
const AUTHORIZATION_CHARS_MAX = 4_096;

/** @throws illegal_argument_exception for settings that do not go together, and for files that cannot be read */
export async function readApiSecurity(runtime: Runtime, settings: Settings): Promise<ApiSecurity> {
  const users = usersOf(settings);
  const tls = await identityOf(runtime, settings);
  const isSafe = users !== null && tls !== null;
  const host = settings.isSet(all.API_HOST) || !isSafe ? settings.get(all.API_HOST) : EVERY_ADDRESS;
  if (!isLoopback(host) && !isSafe && !settings.get(all.INSECURE)) throw beyondThisMachine(host, { users, tls });
  return { host, tls, users, gate: gateOf(settings, { host, hostName: runtime.machine.hostName, users }) };
}

interface Asked {
  readonly host: string;
  readonly hostName: string | undefined;
  readonly users: ApiUsers | null;
}

function gateOf(settings: Settings, { host, hostName, users }: Asked): RequestGate {
  const allowed = readAllowedHosts(settings.get(all.API_ALLOWED_HOSTS), all.API_ALLOWED_HOSTS.name);
  const isOpen = users !== null || allowed.isAny;
  return new RequestGate({
    hosts: isOpen ? null : new HostRule(hostName === undefined ? [host] : [host, hostName], allowed.names),
    hostsSetting: all.API_ALLOWED_HOSTS.name,
    originsHint: 'it answers no page of another site',
    hasUsers: users !== null,
    cors: null,
  });
}

function beyondThisMachine(host: string, { users, tls }: Pick<ApiSecurity, 'users' | 'tls'>): ShoalError {
  const missing = [
    ...(users === null ? ['users (api.auth.type: basic)'] : []),
    ...(tls === null ? ['TLS (api.ssl.enabled: true)'] : []),
  ];
  return refused(
    `api.http.host [${host}] is beyond this machine, where the API needs users and TLS: it lacks ${missing.join(' and ')}. ` +
      'Set it up, listen on 127.0.0.1, or give --insecure to do it all the same',
  );
}

function usersOf(settings: Settings): ApiUsers | null {
  if (settings.get(all.API_AUTH) === 'none') {
    const given = [all.API_USER, all.API_PASSWORD].find((setting) => settings.isSet(setting));
    if (given !== undefined)
      throw refused(`${given.name} is set, but api.auth.type is not basic: nobody would be asked`);
    return null;
  }
  const name = required(settings, all.API_USER, 'api.auth.type: basic');
  const password = required(settings, all.API_PASSWORD, 'api.auth.type: basic');
  if (name.includes(':'))
    throw refused(`${all.API_USER.name} cannot hold a colon: basic authentication ends the name there`);
  const expected = digest(`${name}:${password}`);
  return {
    admits: (authorization) => {
      if (authorization === undefined || authorization.length > AUTHORIZATION_CHARS_MAX) return false;
      const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
      return encoded !== undefined && timingSafeEqual(digest(Buffer.from(encoded, 'base64')), expected);
    },
  };
}

/** Digest of credentials: the comparison in constant time needs texts of one length. */
function digest(credentials: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(credentials).digest();
}

async function identityOf(runtime: Runtime, settings: Settings): Promise<TlsIdentity | null> {
  const hasKeystore = settings.isSet(all.API_KEYSTORE);
  const hasPem = settings.isSet(all.API_CERTIFICATE) || settings.isSet(all.API_KEY);
  if (!settings.get(all.API_TLS)) {
    if (hasKeystore || hasPem) runtime.log.warn('api.ssl.enabled is false: certificate and key are not used');
    return null;
  }
  if (hasKeystore && hasPem) {
    throw refused('both api.ssl.keystore.path and api.ssl.certificate are set: one of them says who the API is');
  }
  if (hasKeystore) {
    const pfx = await fileOf(runtime, settings, all.API_KEYSTORE);
    if (JAVA_KEYSTORE_START.every((byte, i) => pfx[i] === byte)) {
      throw refused(
        `api.ssl.keystore.path [${settings.get(all.API_KEYSTORE)}] is a Java key store, PKCS#12 is needed: ` +
          'keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12 -deststoretype PKCS12',
      );
    }
    return { pfx, passphrase: settings.get(all.API_KEYSTORE_PASSWORD) };
  }
  required(settings, all.API_CERTIFICATE, 'api.ssl.enabled: true (without api.ssl.keystore.path)');
  required(settings, all.API_KEY, 'api.ssl.certificate');
  const [certificate, key] = [
    await fileOf(runtime, settings, all.API_CERTIFICATE),
    await fileOf(runtime, settings, all.API_KEY),
  ];
  const passphrase = settings.get(all.API_KEY_PASSPHRASE);
  return { certificate, key, ...(passphrase === '' ? {} : { passphrase }) };
}

async function fileOf(runtime: Runtime, settings: Settings, setting: SettingDefinition<string>): Promise<Uint8Array> {
  const path = settings.get(setting);
  try {
    return await runtime.disk.readFile(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    throw refused(`${setting.name} [${path}] cannot be read: ${error.message}`);
  }
}

function required(settings: Settings, setting: SettingDefinition<string>, by: string): string {
  const value = settings.get(setting);
  if (value === '') throw refused(`${setting.name} is needed by ${by}`);
  return value;
}

function refused(reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason);
}

/**
 * Names that options of TLS had before they were made the same in all plugins. They are read, with a warning that says what
 * to use instead; the old and the new name together are refused, since one of them would be ignored.
 */
import type {
  OptionDeclaration,
  OptionDeclarations,
  OptionType,
  PluginOptions,
} from '../contract/plugin-definition.ts';
import { optionError } from '../options/option-error.ts';

interface OldName {
  readonly type: OptionType;
  /** Name of today. */
  readonly now: string;
  /** Value of today; the same without this. */
  convert?(value: unknown): unknown;
}

const TLS_VERSIONS: readonly string[] = ['1.1', '1.2', '1.3'];

const SHARED: Readonly<Record<string, OldName>> = {
  ssl: { type: 'boolean', now: 'ssl_enabled' },
  ssl_enable: { type: 'boolean', now: 'ssl_enabled' },
  cacert: { type: 'path', now: 'ssl_certificate_authorities' },
  ca_file: { type: 'path', now: 'ssl_certificate_authorities' },
  ssl_cacert: { type: 'path', now: 'ssl_certificate_authorities' },
  ssl_cert: { type: 'path', now: 'ssl_certificate' },
  keystore: { type: 'path', now: 'ssl_keystore_path' },
  keystore_password: { type: 'password', now: 'ssl_keystore_password' },
  keystore_type: { type: ['pkcs12', 'PKCS12', 'jks', 'JKS'], now: 'ssl_keystore_type', convert: lowerCase },
  cipher_suites: { type: 'array', now: 'ssl_cipher_suites' },
};

const CLIENT: Readonly<Record<string, OldName>> = {
  client_cert: { type: 'path', now: 'ssl_certificate' },
  client_key: { type: 'path', now: 'ssl_key' },
  ssl_certificate_verification: { type: 'boolean', now: 'ssl_verification_mode', convert: verification },
};

const SERVER: Readonly<Record<string, OldName>> = {
  ssl_verify_mode: { type: ['none', 'peer', 'force_peer'], now: 'ssl_client_authentication', convert: authentication },
  verify_mode: { type: ['none', 'peer', 'force_peer'], now: 'ssl_client_authentication', convert: authentication },
};

/** Means one thing to a client and another to a server. */
const VERIFY = 'ssl_verify';
const VERIFY_DECLARATION: OptionDeclaration = {
  type: 'boolean',
  deprecated: 'use [ssl_verification_mode] as a client, [ssl_client_authentication] as a server instead',
};

const OLD_NAMES: readonly (readonly [name: string, old: OldName])[] = [
  ...Object.entries({ ...SHARED, ...CLIENT, ...SERVER }),
  [VERIFY, { type: 'boolean', now: 'ssl_verification_mode', convert: verification }],
  [
    VERIFY,
    { type: 'boolean', now: 'ssl_client_authentication', convert: (value) => (value === true ? 'required' : 'none') },
  ],
];

export const oldTls: OptionDeclarations = {
  ...declared(SHARED),
  tls_min_version: { type: 'number', deprecated: 'use [ssl_supported_protocols] instead' },
  tls_max_version: { type: 'number', deprecated: 'use [ssl_supported_protocols] instead' },
};

export const oldClientTls: OptionDeclarations = {
  ...declared(CLIENT),
  [VERIFY]: VERIFY_DECLARATION,
};

export const oldServerTls: OptionDeclarations = {
  ...declared(SERVER),
  [VERIFY]: VERIFY_DECLARATION,
  /** Certificates between that of the plugin and its authority; a certificate's file may hold them too. */
  ssl_extra_chain_certs: { type: 'array' },
};

/**
 * The value of an option of TLS by its name of today, in the language's own terms; undefined when it is given under no name.
 *
 * @throws ShoalError when it is given under two names
 */
export function givenTls(options: PluginOptions, name: string): unknown {
  const now = options.has(name) ? options.value(name) : undefined;
  if (name === 'ssl_supported_protocols') return protocols(options, now);
  const under = OLD_NAMES.filter(([old, given]) => given.now === name && options.has(old));
  const [first] = under;
  if (first === undefined) return now;
  const [old, { convert }] = first;
  if (now !== undefined || under.length > 1)
    throw optionError(`[${old}] and [${name}] are the same: use only [${name}]`);
  const value = options.value(old);
  return convert === undefined ? value : convert(value);
}

/** Protocols as they are named now, or those between the two old limits; undefined without either. */
function protocols(options: PluginOptions, now: unknown): unknown {
  const [hasMin, hasMax] = [options.has('tls_min_version'), options.has('tls_max_version')];
  if (!hasMin && !hasMax) return now;
  if (now !== undefined)
    throw optionError('[tls_min_version] and [tls_max_version] do not go with [ssl_supported_protocols]');
  const min = hasMin ? options.number('tls_min_version') : 1.2;
  const max = hasMax ? options.number('tls_max_version') : 1.3;
  const found = TLS_VERSIONS.filter((version) => Number(version) >= min && Number(version) <= max);
  if (found.length === 0) throw optionError(`no version of TLS from ${min} to ${max} is supported`);
  return found.map((version) => `TLSv${version}`);
}

function declared(names: Readonly<Record<string, OldName>>): OptionDeclarations {
  return Object.fromEntries(
    Object.entries(names).map(([name, { type, now }]) => [name, { type, deprecated: `use [${now}] instead` }]),
  );
}

function lowerCase(value: unknown): unknown {
  return String(value).toLowerCase();
}

function verification(value: unknown): unknown {
  return value === true ? 'full' : 'none';
}

function authentication(value: unknown): unknown {
  if (value === 'force_peer') return 'required';
  return value === 'peer' ? 'optional' : 'none';
}

/**
 * Connection strings of JDBC, as configurations of Logstash have them: which database, where, and with what properties.
 *
 * A property either does here what it does in the driver of Java, or cannot change an answer, or is refused by name.
 */
import { optionError } from '@shoal/agent-plugin-kit';

export type DatabaseKind = 'postgresql' | 'mysql' | 'sqlite';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseAddress {
  readonly kind: DatabaseKind;
  /** Tried in this order; empty for SQLite. */
  readonly hosts: readonly DatabaseHost[];
  /** Name of the database, path of the file, or `:memory:`. Empty when the string names none. */
  readonly database: string;
  /** By name in lower case. */
  readonly properties: ReadonlyMap<string, string>;
}

const OPTION = '[jdbc_connection_string]';

/** Properties that the connections read, by kind. */
const READ: Readonly<Record<DatabaseKind, ReadonlySet<string>>> = {
  postgresql: names(
    'user password ssl sslmode sslfactory sslrootcert sslcert sslkey sslpassword applicationname currentschema connecttimeout ' +
      'logintimeout sockettimeout options readonly defaultrowfetchsize tcpkeepalive',
  ),
  mysql: names(
    'user password usessl requiressl sslmode verifyservercertificate trustservercertificate serversslcert servertimezone ' +
      'connectiontimezone zerodatetimebehavior tinyint1isbit yearisdatetype connecttimeout sockettimeout defaultfetchsize',
  ),
  sqlite: names('busy_timeout'),
};

/** Properties that tune a driver of Java and can change no answer. */
const WITHOUT_EFFECT: Readonly<Record<DatabaseKind, ReadonlySet<string>>> = {
  postgresql: names(
    'preparethreshold preparedstatementcachequeries preparedstatementcachesizemib binarytransfer binarytransferenable ' +
      'binarytransferdisable stringtype rewritebatchedinserts assumeminserverversion autosave cleanupsavepoints ' +
      'logunclosedconnections loggerlevel loggerfile databasemetadatacachefields databasemetadatacachefieldsmib ' +
      'sendbuffersize receivebuffersize tcpnodelay gssencmode allowencodingchanges adaptivefetch adaptivefetchminimum ' +
      'adaptivefetchmaximum hideunprivilegedobjects',
  ),
  mysql: names(
    'allowpublickeyretrieval useunicode characterencoding autoreconnect autoreconnectforpools failoveroverreadonly maxreconnects ' +
      'usecursorfetch cacheprepstmts prepstmtcachesize prepstmtcachesqllimit useserverprepstmts rewritebatchedstatements ' +
      'uselocalsessionstate uselocaltransactionstate cacheresultsetmetadata cacheserverconfiguration elidesetautocommits ' +
      'maintaintimestats uselegacydatetimecode nullcatalogmeanscurrent nullnamepatternmatchesall useinformationschema ' +
      'noaccesstoprocedurebodies tcpkeepalive tcpnodelay dumpqueriesonexception jdbccomplianttruncation usessps ' +
      'usejdbccomplianttimezoneshift permitmysqlscheme usecompression paranoid',
  ),
  sqlite: names('cache open_mode'),
};

const PORTS = { postgresql: 5432, mysql: 3306, sqlite: 0 } as const;

/** @throws ShoalError for a database that is not known, or a property that is not */
export function parseJdbcUrl(text: string): DatabaseAddress {
  const [, scheme = '', rest = ''] = /^jdbc:([a-z0-9]+):(.*)$/is.exec(text.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case 'postgresql':
      return networkAddress('postgresql', rest);
    case 'mysql':
    case 'mariadb':
      return networkAddress('mysql', rest);
    case 'sqlite':
      return fileAddress(rest);
    case '':
      throw optionError(`${OPTION} is no connection string of JDBC: it begins with [jdbc:]`);
    default:
      throw optionError(
        `${OPTION} names a database [${scheme}] that cannot be used here: there is postgresql, mysql, mariadb and sqlite`,
      );
  }
}

function networkAddress(kind: 'postgresql' | 'mysql', rest: string): DatabaseAddress {
  const [, hosts, path = '', query = ''] = /^(?:\/\/([^/?]*))?\/?([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  const at = (hosts ?? '').lastIndexOf('@');
  if (hosts === undefined && (kind === 'mysql' || path.includes('//')))
    throw optionError(`${OPTION} names no host: [//] stands before one`);
  const properties = readProperties(kind, query);
  if (at >= 0) {
    const [user = '', password] = (hosts ?? '').slice(0, at).split(':');
    if (!properties.has('user')) properties.set('user', decoded(user));
    if (password !== undefined && !properties.has('password')) properties.set('password', decoded(password));
  }
  const places = (hosts ?? '').slice(at + 1);
  return {
    kind,
    hosts: (places === '' ? ['localhost'] : places.split(',')).map((place) => hostOf(place, PORTS[kind])),
    database: decoded(path),
    properties,
  };
}

function hostOf(text: string, port: number): DatabaseHost {
  const [, inBrackets, plain, given] = /^(?:\[([^\]]+)\]|([^:[\]()]*))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = inBrackets ?? plain;
  const wanted = Number(given ?? port);
  if (host === undefined || wanted < 1 || wanted > 65_535)
    throw optionError(`${OPTION} has no readable host: [${text}]`);
  return { host: host === '' ? 'localhost' : host, port: wanted };
}

/** `path`, `file:path` or `:memory:`; nothing behind `jdbc:sqlite:` is a database in memory too. */
function fileAddress(rest: string): DatabaseAddress {
  const [, path = '', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  const properties = readProperties('sqlite', query);
  return {
    kind: 'sqlite',
    hosts: [],
    database: path === '' ? ':memory:' : path.replace(/^file:(?:\/\/(?=\/))?/, ''),
    properties,
  };
}

function readProperties(kind: DatabaseKind, query: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decoded(name).trim().toLowerCase();
    if (READ[kind].has(key)) properties.set(key, decoded(value));
    else if (!WITHOUT_EFFECT[kind].has(key))
      throw optionError(`${OPTION} has a property [${decoded(name)}] that is not supported; remove it`);
  }
  return properties;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The part may be a password, which no message shows.
    throw optionError(`${OPTION} has a part that is not percent-encoded`);
  }
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/**
 * Names of the fields of the Common Event Format: the full name, the short key of the wire, and the field of ECS.
 *
 * `{device}` stands for `observer` or `host`, by the option `device`; `#` for the number of a custom field.
 */
import type { PluginContext } from '@shoal/agent-plugin-kit';

/** Custom fields are numbered from 1 to this. */
const CUSTOM_MAX = 15;

/** Full name, short key, reference under ECS. A key of `-` is the name itself. */
const NAMES = `
agentAddress agt [agent][ip]
agentHostName ahost [agent][name]
agentId aid [agent][id]
agentMacAddress amac [agent][mac]
agentNtDomain - [cef][agent][registered_domain]
agentDnsDomain - [cef][agent][registered_domain]
agentReceiptTime art [event][created]
agentTimeZone atz [cef][agent][timezone]
agentTranslatedAddress - [cef][agent][nat][ip]
agentTranslatedZoneExternalID - [cef][agent][translated_zone][external_id]
agentTranslatedZoneURI - [cef][agent][translated_zone][uri]
agentType at [agent][type]
agentVersion av [agent][version]
agentZoneExternalID - [cef][agent][zone][external_id]
agentZoneURI - [cef][agent][zone][uri]
applicationProtocol app [network][protocol]
baseEventCount cnt [cef][base_event_count]
bytesIn in [source][bytes]
bytesOut out [destination][bytes]
categoryDeviceType catdt [cef][device_type]
customerExternalID - [organization][id]
customerURI - [organization][name]
destinationAddress dst [destination][ip]
destinationGeoLatitude dlat [destination][geo][location][lat]
destinationGeoLongitude dlong [destination][geo][location][lon]
destinationHostName dhost [destination][domain]
destinationMacAddress dmac [destination][mac]
destinationNtDomain dntdom [destination][registered_domain]
destinationDnsDomain - [destination][registered_domain]
destinationPort dpt [destination][port]
destinationProcessId dpid [destination][process][pid]
destinationProcessName dproc [destination][process][name]
destinationServiceName - [destination][service][name]
destinationTranslatedAddress - [destination][nat][ip]
destinationTranslatedPort - [destination][nat][port]
destinationTranslatedZoneExternalID - [cef][destination][translated_zone][external_id]
destinationTranslatedZoneURI - [cef][destination][translated_zone][uri]
destinationUserId duid [destination][user][id]
destinationUserName duser [destination][user][name]
destinationUserPrivileges dpriv [destination][user][group][name]
destinationZoneExternalID - [cef][destination][zone][external_id]
destinationZoneURI - [cef][destination][zone][uri]
deviceAction act [event][action]
deviceAddress dvc [{device}][ip]
deviceCustomFloatingPoint# cfp# [cef][device_custom_floating_point_#][value]
deviceCustomFloatingPoint#Label cfp#Label [cef][device_custom_floating_point_#][label]
deviceCustomIPv6Address# c6a# [cef][device_custom_ipv6_address_#][value]
deviceCustomIPv6Address#Label c6a#Label [cef][device_custom_ipv6_address_#][label]
deviceCustomNumber# cn# [cef][device_custom_number_#][value]
deviceCustomNumber#Label cn#Label [cef][device_custom_number_#][label]
deviceCustomString# cs# [cef][device_custom_string_#][value]
deviceCustomString#Label cs#Label [cef][device_custom_string_#][label]
deviceDirection - [network][direction]
deviceDnsDomain - [{device}][registered_domain]
deviceEventCategory cat [cef][category]
deviceFacility - [log][syslog][facility][code]
deviceInboundInterface - [observer][ingress][interface][name]
deviceMacAddress dvcmac [{device}][mac]
deviceNtDomain - [cef][nt_domain]
deviceOutboundInterface - [observer][egress][interface][name]
devicePayloadId - [cef][payload_id]
deviceProcessId dvcpid [process][pid]
deviceProcessName - [process][name]
deviceReceiptTime rt @timestamp
deviceTimeZone dtz [event][timezone]
deviceTranslatedAddress - [host][nat][ip]
deviceTranslatedZoneExternalID - [cef][translated_zone][external_id]
deviceTranslatedZoneURI - [cef][translated_zone][uri]
deviceVersion - [observer][version]
deviceZoneExternalID - [cef][zone][external_id]
deviceZoneURI - [cef][zone][uri]
endTime end [event][end]
eventId - [event][id]
eventOutcome outcome [event][outcome]
externalId - [cef][external_id]
fileCreateTime - [file][created]
fileHash - [file][hash]
fileId - [file][inode]
fileModificationTime - [file][mtime]
fileName fname [file][name]
filePath - [file][path]
filePermission - [file][group]
fileSize fsize [file][size]
fileType - [file][extension]
managerReceiptTime mrt [event][ingested]
message msg [message]
oldFileCreateTime - [cef][old_file][created]
oldFileHash - [cef][old_file][hash]
oldFileId - [cef][old_file][inode]
oldFileModificationTime - [cef][old_file][mtime]
oldFileName - [cef][old_file][name]
oldFilePath - [cef][old_file][path]
oldFilePermission - [cef][old_file][group]
oldFileSize - [cef][old_file][size]
oldFileType - [cef][old_file][extension]
rawEvent - [event][original]
Reason reason [event][reason]
requestClientApplication - [user_agent][original]
requestContext - [http][request][referrer]
requestCookies - [cef][request][cookies]
requestMethod - [http][request][method]
requestUrl request [url][original]
sourceAddress src [source][ip]
sourceGeoLatitude slat [source][geo][location][lat]
sourceGeoLongitude slong [source][geo][location][lon]
sourceHostName shost [source][domain]
sourceMacAddress smac [source][mac]
sourceNtDomain sntdom [source][registered_domain]
sourceDnsDomain - [source][registered_domain]
sourcePort spt [source][port]
sourceProcessId spid [source][process][pid]
sourceProcessName sproc [source][process][name]
sourceServiceName - [source][service][name]
sourceTranslatedAddress - [source][nat][ip]
sourceTranslatedPort - [source][nat][port]
sourceTranslatedZoneExternalID - [cef][source][translated_zone][external_id]
sourceTranslatedZoneURI - [cef][source][translated_zone][uri]
sourceUserId suid [source][user][id]
sourceUserName suser [source][user][name]
sourceUserPrivileges spriv [source][user][group][name]
sourceZoneExternalID - [cef][source][zone][external_id]
sourceZoneURI - [cef][source][zone][uri]
startTime start [event][start]
transportProtocol proto [network][transport]
type - [cef][type]
`;

/** Older full names, which keep their own name without ECS. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['destinationGeoLatitude', 'destinationLatitude'],
  ['destinationGeoLongitude', 'destinationLongitude'],
  ['deviceTimeZone', 'destinationTimeZone'],
  ['sourceGeoLatitude', 'sourceLatitude'],
  ['sourceGeoLongitude', 'sourceLongitude'],
]);

const TIMES: readonly string[] = [
  'agentReceiptTime',
  'deviceReceiptTime',
  'endTime',
  'fileModificationTime',
  'managerReceiptTime',
  'oldFileCreateTime',
  'oldFileModificationTime',
  'startTime',
];

export interface CefNames {
  /** Fields of the seven parts of the header, in their order. */
  readonly header: readonly string[];
  /** Field of what stands before `CEF:`. */
  readonly syslog: string;
  /** Field of each key and each full name of an extension. */
  readonly fieldOf: ReadonlyMap<string, string>;
  /** Key to write for each field and each full name. */
  readonly keyOf: ReadonlyMap<string, string>;
  /** Fields that hold a time; none without ECS, where they stay the text they are. */
  readonly times: ReadonlySet<string>;
}

export interface CefNaming {
  readonly ecs: PluginContext['ecs'];
  readonly device: 'observer' | 'host';
  /** Writes short keys instead of full names. */
  readonly usesShortKeys: boolean;
}

export function cefNames({ ecs, device, usesShortKeys }: CefNaming): CefNames {
  const isLegacy = ecs === 'disabled';
  const fieldOf = new Map<string, string>();
  const keyOf = new Map<string, string>();
  const times = new Set<string>();
  for (const [name, key, reference] of rowsFor(device)) {
    const field = isLegacy ? name : reference;
    fieldOf.set(key, field);
    fieldOf.set(name, field);
    // Two names may share a field of ECS: the later row is the one that is written.
    keyOf.set(field, usesShortKeys ? key : name);
    keyOf.set(name, usesShortKeys ? key : name);
    const older = OLDER_NAMES.get(name);
    if (older !== undefined) {
      fieldOf.set(older, isLegacy ? older : reference);
      keyOf.set(older, usesShortKeys ? key : older);
    }
    if (!isLegacy && TIMES.includes(name)) times.add(field);
  }
  return {
    header: isLegacy ? LEGACY_HEADER : ECS_HEADER,
    syslog: isLegacy ? 'syslog' : '[log][syslog][header]',
    fieldOf,
    keyOf,
    times,
  };
}

const LEGACY_HEADER: readonly string[] = [
  'cefVersion',
  'deviceVendor',
  'deviceProduct',
  'deviceVersion',
  'deviceEventClassId',
  'name',
  'severity',
];
const ECS_HEADER: readonly string[] = [
  '[cef][version]',
  '[observer][vendor]',
  '[observer][product]',
  '[observer][version]',
  '[event][code]',
  '[cef][name]',
  '[event][severity]',
];

type Row = readonly [name: string, key: string, reference: string];

function rowsFor(device: 'observer' | 'host'): Row[] {
  const id: Row = ['deviceExternalId', 'deviceExternalId', device === 'host' ? '[host][id]' : '[observer][name]'];
  const hostName: Row = ['deviceHostName', 'dvchost', device === 'host' ? '[host][name]' : '[observer][hostname]'];
  const rows = NAMES.trim()
    .split('\n')
    .flatMap((line): Row[] => {
      const [name = '', key = '', reference = ''] = line.split(' ');
      const row: Row = [name, key === '-' ? name : key, reference.replace('{device}', device)];
      return name.includes('#') ? Array.from({ length: CUSTOM_MAX }, (_, i) => numbered(row, i + 1)) : [row];
    });
  return [...rows, id, hostName];
}

function numbered([name, key, reference]: Row, number: number): Row {
  const put = (text: string): string => text.replace('#', String(number));
  return [put(name), put(key), put(reference)];
}

/**
 * Information elements of IPFIX by number, from IANA's registry, and some of vendors: names as collectors print them.
 *
 * A run begins with its first number; `_` leaves one out. A letter behind the slash says what the bytes are when they are no
 * unsigned integer: 4 and 6 addresses, m a MAC address, s text, d a float, o bytes, a an application id, x nothing to show.
 */
export type FieldKind =
  | 'uint'
  | 'ipv4'
  | 'ipv6'
  | 'mac'
  | 'string'
  | 'double'
  | 'octets'
  | 'applicationId'
  | 'aclId'
  | 'mplsLabel'
  | 'forwardingStatus'
  | 'skip';

export interface FieldDefinition {
  readonly name: string;
  readonly kind: FieldKind;
}

/** Definitions by number, those of a private enterprise by its number. */
export type FieldTable = ReadonlyMap<number, ReadonlyMap<number, FieldDefinition>>;

const KINDS: Readonly<Record<string, FieldKind>> = {
  '4': 'ipv4',
  '6': 'ipv6',
  m: 'mac',
  s: 'string',
  d: 'double',
  o: 'octets',
  a: 'applicationId',
  x: 'skip',
  c: 'aclId',
  l: 'mplsLabel',
  f: 'forwardingStatus',
};

export function fieldRuns(text: string): ReadonlyMap<number, FieldDefinition> {
  const fields = new Map<number, FieldDefinition>();
  let next = 0;
  for (const word of text.trim().split(/\s+/)) {
    if (/^\d+$/.test(word)) next = Number(word);
    else {
      const [name = '', code] = word.split('/');
      if (name !== '_') fields.set(next, { name, kind: code === undefined ? 'uint' : (KINDS[code] ?? 'uint') });
      next++;
    }
  }
  return fields;
}

export const IANA_FIELDS: ReadonlyMap<number, FieldDefinition> = fieldRuns(`
1 octetDeltaCount packetDeltaCount deltaFlowCount protocolIdentifier ipClassOfService tcpControlBits sourceTransportPort
sourceIPv4Address/4 sourceIPv4PrefixLength ingressInterface destinationTransportPort destinationIPv4Address/4
destinationIPv4PrefixLength egressInterface ipNextHopIPv4Address/4 bgpSourceAsNumber bgpDestinationAsNumber
bgpNextHopIPv4Address/4 postMCastPacketDeltaCount postMCastOctetDeltaCount flowEndSysUpTime flowStartSysUpTime
postOctetDeltaCount postPacketDeltaCount minimumIpTotalLength maximumIpTotalLength sourceIPv6Address/6
destinationIPv6Address/6 sourceIPv6PrefixLength destinationIPv6PrefixLength flowLabelIPv6 icmpTypeCodeIPv4 igmpType
samplingInterval samplingAlgorithm flowActiveTimeout flowIdleTimeout engineType engineId exportedOctetTotalCount
exportedMessageTotalCount exportedFlowRecordTotalCount ipv4RouterSc/4 sourceIPv4Prefix/4 destinationIPv4Prefix/4
mplsTopLabelType mplsTopLabelIPv4Address/4 samplerId samplerMode samplerRandomInterval classId minimumTTL maximumTTL
fragmentIdentification postIpClassOfService sourceMacAddress/m postDestinationMacAddress/m vlanId postVlanId ipVersion
flowDirection ipNextHopIPv6Address/6 bgpNextHopIPv6Address/6 ipv6ExtensionHeaders
70 mplsTopLabelStackSection/s mplsLabelStackSection2/s mplsLabelStackSection3/s mplsLabelStackSection4/s
mplsLabelStackSection5/s mplsLabelStackSection6/s mplsLabelStackSection7/s mplsLabelStackSection8/s
mplsLabelStackSection9/s mplsLabelStackSection10/s destinationMacAddress/m postSourceMacAddress/m interfaceName/s
interfaceDescription/s samplerName/s octetTotalCount packetTotalCount flagsAndSamplerId fragmentOffset forwardingStatus
mplsVpnRouteDistinguisher/s mplsTopLabelPrefixLength srcTrafficIndex dstTrafficIndex applicationDescription/s
applicationId/a applicationName/s _ postIpDiffServCodePoint multicastReplicationFactor className/s classificationEngineId
layer2packetSectionOffset layer2packetSectionSize layer2packetSectionData/s
128 bgpNextAdjacentAsNumber bgpPrevAdjacentAsNumber exporterIPv4Address/4 exporterIPv6Address/6 droppedOctetDeltaCount
droppedPacketDeltaCount droppedOctetTotalCount droppedPacketTotalCount flowEndReason commonPropertiesId observationPointId
icmpTypeCodeIPv6 mplsTopLabelIPv6Address/6 lineCardId portId meteringProcessId exportingProcessId templateId wlanChannelId
wlanSSID/s flowId observationDomainId flowStartSeconds flowEndSeconds flowStartMilliseconds flowEndMilliseconds
flowStartMicroseconds flowEndMicroseconds flowStartNanoseconds flowEndNanoseconds flowStartDeltaMicroseconds
flowEndDeltaMicroseconds systemInitTimeMilliseconds flowDurationMilliseconds flowDurationMicroseconds observedFlowTotalCount
ignoredPacketTotalCount ignoredOctetTotalCount notSentFlowTotalCount notSentPacketTotalCount notSentOctetTotalCount
destinationIPv6Prefix/6 sourceIPv6Prefix/6 postOctetTotalCount postPacketTotalCount flowKeyIndicator
postMCastPacketTotalCount postMCastOctetTotalCount icmpTypeIPv4 icmpCodeIPv4 icmpTypeIPv6 icmpCodeIPv6 udpSourcePort
udpDestinationPort tcpSourcePort tcpDestinationPort tcpSequenceNumber tcpAcknowledgementNumber tcpWindowSize
tcpUrgentPointer tcpHeaderLength ipHeaderLength totalLengthIPv4 payloadLengthIPv6 ipTTL nextHeaderIPv6 mplsPayloadLength
ipDiffServCodePoint ipPrecedence fragmentFlags octetDeltaSumOfSquares octetTotalSumOfSquares mplsTopLabelTTL
mplsLabelStackLength mplsLabelStackDepth mplsTopLabelExp ipPayloadLength udpMessageLength isMulticast ipv4IHL ipv4Options
tcpOptions paddingOctets/x collectorIPv4Address/4 collectorIPv6Address/6 exportInterface exportProtocolVersion
exportTransportProtocol collectorTransportPort exporterTransportPort tcpSynTotalCount tcpFinTotalCount tcpRstTotalCount
tcpPshTotalCount tcpAckTotalCount tcpUrgTotalCount ipTotalLength postNATSourceIPv4Address/4 postNATDestinationIPv4Address/4
postNAPTSourceTransportPort postNAPTDestinationTransportPort natOriginatingAddressRealm natEvent initiatorOctets
responderOctets firewallEvent ingressVRFID egressVRFID VRFname/s postMplsTopLabelExp tcpWindowScale biflowDirection
ethernetHeaderLength ethernetPayloadLength ethernetTotalLength dot1qVlanId dot1qPriority dot1qCustomerVlanId
dot1qCustomerPriority metroEvcId/s metroEvcType pseudoWireId pseudoWireType pseudoWireControlWord ingressPhysicalInterface
egressPhysicalInterface postDot1qVlanId postDot1qCustomerVlanId ethernetType postIpPrecedence collectionTimeMilliseconds
exportSctpStreamId maxExportSeconds maxFlowEndSeconds messageMD5Checksum/s messageScope minExportSeconds
minFlowStartSeconds opaqueOctets/s sessionScope maxFlowEndMicroseconds maxFlowEndMilliseconds maxFlowEndNanoseconds
minFlowStartMicroseconds minFlowStartMilliseconds minFlowStartNanoseconds collectorCertificate/s exporterCertificate/s
dataRecordsReliability observationPointType newConnectionDeltaCount connectionSumDurationSeconds connectionTransactionId
postNATSourceIPv6Address/6 postNATDestinationIPv6Address/6 natPoolId natPoolName/s anonymizationFlags
anonymizationTechnique informationElementIndex p2pTechnology/s tunnelTechnology/s encryptedTechnology/s basicList/x
subTemplateList/x subTemplateMultiList/x bgpValidityState IPSecSPI greKey natType initiatorPackets responderPackets
observationDomainName/s selectionSequenceId selectorId informationElementId selectorAlgorithm samplingPacketInterval
samplingPacketSpace samplingTimeInterval samplingTimeSpace samplingSize samplingPopulation samplingProbability/d
dataLinkFrameSize ipHeaderPacketSection/s ipPayloadPacketSection/s dataLinkFrameSection/s mplsLabelStackSection/s
mplsPayloadPacketSection/s selectorIdTotalPktsObserved selectorIdTotalPktsSelected absoluteError/d relativeError/d
observationTimeSeconds observationTimeMilliseconds observationTimeMicroseconds observationTimeNanoseconds digestHashValue
hashIPPayloadOffset hashIPPayloadSize hashOutputRangeMin hashOutputRangeMax hashSelectedRangeMin hashSelectedRangeMax
hashDigestOutput hashInitialiserValue selectorName/s upperCILimit/d lowerCILimit/d confidenceLevel/d
informationElementDataType informationElementDescription/s informationElementName/s informationElementRangeBegin
informationElementRangeEnd informationElementSemantics informationElementUnits privateEnterpriseNumber
virtualStationInterfaceId/s virtualStationInterfaceName/s virtualStationUUID/s virtualStationName/s layer2SegmentId
layer2OctetDeltaCount layer2OctetTotalCount ingressUnicastPacketTotalCount ingressMulticastPacketTotalCount
ingressBroadcastPacketTotalCount egressUnicastPacketTotalCount egressBroadcastPacketTotalCount
monitoringIntervalStartMilliSeconds monitoringIntervalEndMilliSeconds portRangeStart portRangeEnd portRangeStepSize
portRangeNumPorts staMacAddress/m staIPv4Address/4 wtpMacAddress/m ingressInterfaceType egressInterfaceType
rtpSequenceNumber userName/s applicationCategoryName/s applicationSubCategoryName/s applicationGroupName/s
originalFlowsPresent originalFlowsInitiated originalFlowsCompleted distinctCountOfSourceIPAddress
distinctCountOfDestinationIPAddress distinctCountOfSourceIPv4Address distinctCountOfDestinationIPv4Address
distinctCountOfSourceIPv6Address distinctCountOfDestinationIPv6Address valueDistributionMethod rfc3550JitterMilliseconds
rfc3550JitterMicroseconds rfc3550JitterNanoseconds dot1qDEI dot1qCustomerDEI flowSelectorAlgorithm
flowSelectedOctetDeltaCount flowSelectedPacketDeltaCount flowSelectedFlowDeltaCount selectorIDTotalFlowsObserved
selectorIDTotalFlowsSelected samplingFlowInterval samplingFlowSpacing flowSamplingTimeInterval flowSamplingTimeSpacing
hashFlowDomain transportOctetDeltaCount transportPacketDeltaCount originalExporterIPv4Address/4
originalExporterIPv6Address/6 originalObservationDomainId intermediateProcessId ignoredDataRecordTotalCount
dataLinkFrameType sectionOffset sectionExportedOctets dot1qServiceInstanceTag/s dot1qServiceInstanceId
dot1qServiceInstancePriority dot1qCustomerSourceMacAddress/m dot1qCustomerDestinationMacAddress/m _
postLayer2OctetDeltaCount postMCastLayer2OctetDeltaCount _ postLayer2OctetTotalCount postMCastLayer2OctetTotalCount
minimumLayer2TotalLength maximumLayer2TotalLength droppedLayer2OctetDeltaCount droppedLayer2OctetTotalCount
ignoredLayer2OctetTotalCount notSentLayer2OctetTotalCount layer2OctetDeltaSumOfSquares layer2OctetTotalSumOfSquares
layer2FrameDeltaCount layer2FrameTotalCount pseudoWireDestinationIPv4Address/4 ignoredLayer2FrameTotalCount
`);

/** Cisco, by its enterprise number 9. */
const CISCO = `
8337 ciscoServerBytesNetwork ciscoClientBytesNetwork
9252 ciscoServicesWaasSegment ciscoServicesWaasPassthroughReason
9357 ciscoAppHTTPUriStatistics/s
12232 cisoAppCategoryName/s _ ciscoAppGroupName/s ciscoAppHTTPHost/s ciscoClientIPv4Address/4 ciscoServerIPv4Address/4
12240 ciscoClientL4Port ciscoServerL4Port ciscoConnectionId
12244 ciscoAppBusiness/s
`;

/** Citrix NetScaler, by its enterprise number 5951: those that have a name. */
const NETSCALER = `
128 netscalerRoundTripTime netscalerTransactionId netscalerHttpReqUrl/s netscalerHttpReqCookie/s netscalerFlowFlags
netscalerConnectionId netscalerSyslogPriority netscalerSyslogMessage/s netscalerSyslogTimestamp
140 netscalerHttpReqReferer/s netscalerHttpReqMethod/s netscalerHttpReqHost/s netscalerHttpReqUserAgent/s
netscalerHttpRspStatus netscalerHttpRspLen netscalerServerTTFB netscalerServerTTLB
150 netscalerAppNameIncarnationNumber netscalerAppNameAppId netscalerAppName/s netscalerHttpReqRcvFB
156 netscalerHttpReqForwFB netscalerHttpResRcvFB netscalerHttpResForwFB netscalerHttpReqRcvLB netscalerHttpReqForwLB
netscalerMainPageId netscalerMainPageCoreId netscalerHttpClientInteractionStartTime/s netscalerHttpClientRenderEndTime/s
netscalerHttpClientRenderStartTime/s
167 netscalerAppTemplateName/s netscalerHttpClientInteractionEndTime/s netscalerHttpResRcvLB netscalerHttpResForwLB
netscalerAppUnitNameAppId netscalerDbLoginFlags netscalerDbReqType netscalerDbProtocolName netscalerDbUserName/s
netscalerDbDatabaseName/s netscalerDbCltHostName/s netscalerDbReqString/s netscalerDbRespStatusString/s
netscalerDbRespStatus netscalerDbRespLength netscalerClientRTT netscalerHttpContentType/s
185 netscalerHttpReqAuthorization/s netscalerHttpReqVia/s netscalerHttpResLocation/s netscalerHttpResSetCookie/s
netscalerHttpResSetCookie2/s netscalerHttpReqXForwardedFor/s
192 netscalerConnectionChainID/o netscalerConnectionChainHopCount
200 netscalerICASessionGuid/o netscaleIcaClientVersion/s netscalerIcaClientType netscalerIcaClientIP/4
netscalerIcaClientHostName/s netscalerAaaUsername/s _ netscalerIcaDomainName/s netscalerIcaClientLauncher
netscalerIcaSessionSetupTime netscalerIcaServerName/s
`;

export const IPFIX_FIELDS: FieldTable = new Map([
  [0, IANA_FIELDS],
  [9, fieldRuns(CISCO)],
  [637, fieldRuns('91 natInsideSvcid natOutsideSvcid natSubString/s')],
  [5951, fieldRuns(NETSCALER)],
]);

/**
 * The processors by name. One that is added is one file, one line here and its name in `processor-names.ts`.
 */
import type { ProcessorType } from '../contract/processor.ts';
import { communityIdProcessor } from './extraction/community-id.ts';
import { csvProcessor } from './extraction/csv.ts';
import { dateProcessor } from './extraction/date.ts';
import { dateIndexNameProcessor } from './extraction/date-index-name.ts';
import { dissectProcessor } from './extraction/dissect.ts';
import { enrichProcessor } from './extraction/enrich.ts';
import { fingerprintProcessor } from './extraction/fingerprint.ts';
import { grokProcessor } from './extraction/grok.ts';
import { jsonProcessor } from './extraction/json.ts';
import { kvProcessor } from './extraction/kv.ts';
import { networkDirectionProcessor } from './extraction/network-direction.ts';
import { registeredDomainProcessor } from './extraction/registered-domain.ts';
import { uriPartsProcessor } from './extraction/uri-parts.ts';
import { userAgentProcessor } from './extraction/user-agent.ts';
import { appendProcessor } from './fields/append.ts';
import { convertProcessor } from './fields/convert.ts';
import { dotExpanderProcessor } from './fields/dot-expander.ts';
import { removeProcessor } from './fields/remove.ts';
import { renameProcessor } from './fields/rename.ts';
import { setProcessor } from './fields/set.ts';
import { sortProcessor } from './fields/sort.ts';
import { dropProcessor } from './flow/drop.ts';
import { failProcessor } from './flow/fail.ts';
import { foreachProcessor } from './flow/foreach.ts';
import { pipelineProcessor } from './flow/pipeline.ts';
import { rerouteProcessor } from './flow/reroute.ts';
import { scriptProcessor } from './flow/script.ts';
import { geoipProcessor } from './geo/geoip.ts';
import { bytesProcessor } from './texts/bytes.ts';
import { gsubProcessor } from './texts/gsub.ts';
import { htmlStripProcessor } from './texts/html-strip.ts';
import { joinProcessor } from './texts/join.ts';
import { lowercaseProcessor, trimProcessor, uppercaseProcessor } from './texts/letter-case.ts';
import { splitProcessor } from './texts/split.ts';
import { urldecodeProcessor } from './texts/urldecode.ts';

/** In the order of their names. */
export const PROCESSOR_TYPES: ReadonlyMap<string, ProcessorType> = new Map(
  [
    appendProcessor,
    bytesProcessor,
    communityIdProcessor,
    convertProcessor,
    csvProcessor,
    dateProcessor,
    dateIndexNameProcessor,
    dissectProcessor,
    dotExpanderProcessor,
    dropProcessor,
    enrichProcessor,
    failProcessor,
    fingerprintProcessor,
    foreachProcessor,
    geoipProcessor,
    grokProcessor,
    gsubProcessor,
    htmlStripProcessor,
    joinProcessor,
    jsonProcessor,
    kvProcessor,
    lowercaseProcessor,
    networkDirectionProcessor,
    pipelineProcessor,
    registeredDomainProcessor,
    removeProcessor,
    renameProcessor,
    rerouteProcessor,
    scriptProcessor,
    setProcessor,
    sortProcessor,
    splitProcessor,
    trimProcessor,
    uppercaseProcessor,
    uriPartsProcessor,
    urldecodeProcessor,
    userAgentProcessor,
  ].map((type) => [type.type, type]),
);

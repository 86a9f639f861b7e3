/**
 * Administration of a cluster without a manager: all that it is asked is refused, but for the creation of indices.
 */
import { masterNotDiscovered } from '@shoal/core';
import type { ClusterAdmin } from '@shoal/membership';

export function refusingAdmin(createIndex: ClusterAdmin['createIndex']): ClusterAdmin {
  const refuse = (): Promise<never> => Promise.reject(masterNotDiscovered());
  return {
    createIndex,
    deleteIndices: refuse,
    putMapping: refuse,
    updateIndexSettings: refuse,
    putTemplate: refuse,
    createDataStream: refuse,
    migrateToDataStream: refuse,
    setDataStreamLifecycle: refuse,
    setDataStreamOptions: refuse,
    deleteDataStreams: refuse,
    modifyDataStreams: refuse,
    rolloverOnWrite: refuse,
    rollover: refuse,
    deleteTemplates: refuse,
    putLifecyclePolicy: refuse,
    deleteLifecyclePolicy: refuse,
    setLifecycleMode: refuse,
    putIngestPipeline: refuse,
    putStoredScript: refuse,
    deleteStoredScripts: refuse,
    putSynonymSet: refuse,
    deleteSynonymSet: refuse,
    putSynonymRule: refuse,
    deleteSynonymRule: refuse,
    deleteIngestPipelines: refuse,
    updateAliases: refuse,
    setIndexState: refuse,
    updateClusterSettings: refuse,
    reroute: refuse,
    explainAllocation: refuse,
    pendingTasks: refuse,
    ask: refuse,
    addVotingConfigExclusions: refuse,
    clearVotingConfigExclusions: refuse,
    shardStarted: refuse,
    shardFailed: refuse,
    confirmPrimary: refuse,
    handOverPrimary: refuse,
  };
}

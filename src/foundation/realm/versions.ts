/** The API's feature level, and the versions that existing clients expect. */
const versions = { featureLevel: 421, service: "11.0", mergeBase: "11.0" } as const;

export const versionFields = {
  service_version: versions.service,
  service_merge_base: versions.mergeBase,
  service_feature_level: versions.featureLevel,
  zulip_version: versions.service,
  zulip_merge_base: versions.mergeBase,
  zulip_feature_level: versions.featureLevel,
};

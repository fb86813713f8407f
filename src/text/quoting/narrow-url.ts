// URLs of channels, topics and messages in a client.

export function channelUrl(channel: { id: number; name: string }): string {
  return `/#narrow/channel/${channel.id}-${encodeOperand(channel.name.replaceAll(" ", "-"))}`;
}

export function topicUrl(channel: { id: number; name: string }, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeOperand(topic)}`;
}

export function directMessageUrl(userIds: readonly number[]): string {
  return `/#narrow/dm/${userIds.join(",")}-dm`;
}

// Wire: writes `%` as `.`, so that browsers leave the fragment alone; a real dot becomes `.2E`.
export function encodeOperand(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}

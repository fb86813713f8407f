// Addresses of channels, topics and messages inside a client.

export function channelUrl(channel: { id: number; name: string }): string {
  return `/#narrow/channel/${channel.id}-${encodeOperand(channel.name.replaceAll(" ", "-"))}`;
}

export function topicUrl(channel: { id: number; name: string }, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeOperand(topic)}`;
}

export function directMessageUrl(userIds: readonly number[]): string {
  return `/#narrow/dm/${userIds.join(",")}-dm`;
}

// Wire: `%` becomes `.`, so that a browser leaves the fragment alone; hence a real dot is `.2E`.
function encodeOperand(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}

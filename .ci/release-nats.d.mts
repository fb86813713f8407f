export declare const architectures: Record<string, string>;
export declare function natsFile(platform: string): string;
export declare function faultOf(fields: Record<string, string>): string | null;
export declare function noticesWithNats(text: string, folder: string): string;
export declare function componentsWithNats<S extends { components: unknown[] }>(sbom: S, folder: string): S;

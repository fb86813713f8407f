export declare function completeRelease(folder: string): void;

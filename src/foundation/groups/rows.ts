export interface GroupRow {
  id: number;
  kind: "system" | "named";
  name: string;
  description: string;
  creator_id: number | null;
  date_created: number | null;
  deactivated: 0 | 1;
}

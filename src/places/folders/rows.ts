export interface FolderRow {
  id: number;
  name: string;
  position: number;
  date_created: number;
  creator_id: number | null;
  description: string;
  rendered_description: string;
  is_archived: 0 | 1;
}

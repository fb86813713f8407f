export interface UploadRow {
  id: number;
  owner_id: number;
  file: string;
  path_id: string;
  name: string;
  size: number;
  content_type: string;
  uploaded_at: number;
  width: number | null;
  height: number | null;
  is_animated: 0 | 1;
}

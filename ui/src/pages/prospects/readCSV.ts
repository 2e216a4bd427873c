import Papa from 'papaparse';
import type { Sheet } from '../../logic/importer';

/** Reads a file in pieces, so that the page stays alive, and says how far it is. */
export function readCSV(file: File, tell: (rows: number) => void): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    const sheet: Sheet = { name: file.name, headers: [], rows: [] };
    Papa.parse<Record<string, string>>(file, {
      header: true, skipEmptyLines: 'greedy', chunkSize: 512 * 1024,
      transformHeader: (header) => header.replace(/^\uFEFF/, '').trim(),
      chunk: ({ data, meta }) => {
        sheet.headers = (meta.fields ?? []).filter(Boolean);
        for (const row of data) sheet.rows.push(row);
        tell(sheet.rows.length);
      },
      complete: () => {
        if (sheet.rows.length === 0) reject(new Error('The file has no rows below its first line.'));
        else resolve(sheet);
      },
      error: (error) => reject(new Error(`The file cannot be read: ${error.message}`)),
    });
  });
}

/** A record with its first line, counted from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** RFC 4180: quoted cells may contain delimiters, line breaks and doubled quotes. */
export function parseCsv(content: string, delimiter = ','): CsvRecord[] {
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let cell = '';
  let isQuoted = false;
  let line = 1;
  const endCell = () => {
    record.cells.push(cell);
    cell = '';
  };
  const endRecord = () => {
    endCell();
    if (record.cells.some((each) => each.trim() !== '')) records.push(record);
    record = { line, cells: [] };
  };
  for (let at = 0; at < content.length; at += 1) {
    const letter = content[at]!;
    if (letter === '\n') line += 1;
    if (isQuoted && letter === '"' && content[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted && letter === '"') isQuoted = false;
    else if (isQuoted) cell += letter;
    else if (letter === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (letter === delimiter) endCell();
    else if (letter === '\n') endRecord();
    else if (letter !== '\r') cell += letter;
  }
  endRecord();
  return records;
}

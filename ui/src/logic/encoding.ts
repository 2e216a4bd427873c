/** The encodings of spreadsheet files besides UTF-8, the most frequent in western countries first. */
export const encodings: Record<string, string> = {
	"windows-1252": "Western European (Windows-1252, Latin-1)",
	"windows-1250": "Central European (Windows-1250)",
	"windows-1251": "Cyrillic (Windows-1251)",
	"windows-1253": "Greek (Windows-1253)",
	"windows-1254": "Turkish (Windows-1254)",
	shift_jis: "Japanese (Shift JIS)",
	gb18030: "Chinese (GB 18030)",
	"euc-kr": "Korean (EUC-KR)",
	macintosh: "Western European (Mac)",
};

/** The encoding of a text: by its byte order mark, else UTF-8 if it is valid, else Windows-1252, which includes Latin-1. */
export function encodingOf(bytes: ArrayBuffer): string {
	const [a, b] = new Uint8Array(bytes.slice(0, 2));
	if (a === 0xff && b === 0xfe) return "utf-16le";
	if (a === 0xfe && b === 0xff) return "utf-16be";
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return "utf-8";
	} catch {
		return "windows-1252";
	}
}

/** The text of a file in any of the encodings. */
export const textOf = (bytes: ArrayBuffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

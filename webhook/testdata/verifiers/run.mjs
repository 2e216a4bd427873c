// Prints, for each vector of the file named, what verify says at the time of
// signing and ten minutes away from it.
import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";

for (const v of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const body = Buffer.from(v.body_base64, "base64");
  const says = [0, 600, -600].map((shift) => verify(v.secret, v.header, body, v.timestamp + shift));
  console.log(`${v.name}: ${says.join(" ")}`);
}

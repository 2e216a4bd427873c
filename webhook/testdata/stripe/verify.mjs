// Reads requests from standard input, one JSON object {payload, header, secret}
// to a line, and prints for each whether Stripe's own library takes it and the
// type of the event that it found, or why it refuses.
import { createInterface } from "node:readline";
import Stripe from "stripe";

const { webhooks } = new Stripe("sk_test_unused");
for await (const line of createInterface({ input: process.stdin })) {
  const { payload, header, secret } = JSON.parse(line);
  try {
    console.log("taken:", webhooks.constructEvent(payload, header, secret).type);
  } catch (error) {
    console.log("refused:", error.type);
  }
}

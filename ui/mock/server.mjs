// A stand-in for the program while working on screens: answers /graphql from
// made-up data in memory and serves dist with the headers of embed.go. Sign in
// with anything; the password "wrong" is refused. PROSPECTS sets how many there
// are, EMPTY=1 starts an empty workspace, PORT the port.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { buildSchema, GraphQLError, graphql } from "graphql";
import { makeData } from "./data.mjs";
import { makeRoot } from "./root.mjs";

const here = new URL(".", import.meta.url);
const schema = buildSchema(readFileSync(new URL("../../schema.graphqls", here), "utf8"));
const data = makeData({ prospects: Number(process.env.PROSPECTS ?? 100_000), empty: process.env.EMPTY === "1" });
const root = makeRoot(data);
const embed = readFileSync(new URL("../embed.go", here), "utf8");
const csp = /const policy = "([^"]+)"/.exec(embed)[1];
const frameCsp = /const framePolicy = "([^"]+)"/.exec(embed)[1];
const types = { js: "text/javascript", css: "text/css", svg: "image/svg+xml", html: "text/html; charset=utf-8" };
let serial = 0;

async function answer(request, response) {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	const { query, variables, operationName } = JSON.parse(Buffer.concat(chunks).toString());
	const signedIn = /session=yes/.test(request.headers.cookie ?? "");
	const context = { signedIn, headers: {} };
	const result = await graphql({
		schema,
		source: query,
		variableValues: variables,
		operationName,
		rootValue: root,
		contextValue: context,
	});
	const id = `mock-${++serial}`;
	const errors = result.errors?.map((error) => {
		if (!(error.originalError instanceof GraphQLError)) console.error(operationName, error.message);
		return {
			message: error.message,
			path: error.path,
			extensions: { code: "internal", ...error.extensions, request_id: id },
		};
	});
	response.writeHead(200, { "Content-Type": "application/json", "X-Request-Id": id, ...context.headers });
	response.end(JSON.stringify({ data: result.data, errors }));
}

function file(request, response) {
	const path = new URL(request.url, "http://x").pathname;
	const read = (name) => {
		try {
			return readFileSync(new URL(`../dist${name}`, here));
		} catch {
			return null;
		}
	};
	const asset = path.startsWith("/assets/") || path === "/frame.html";
	const content = asset ? read(path) : read("/index.html");
	if (!content) {
		response.writeHead(404).end("no such file");
		return;
	}
	const type = asset ? types[path.split(".").at(-1)] : types.html;
	response.writeHead(200, {
		"Content-Type": type,
		"Access-Control-Allow-Origin": "*",
		...(path === "/frame.html"
			? { "Content-Security-Policy": frameCsp }
			: asset
				? {}
				: { "Content-Security-Policy": csp }),
	});
	response.end(content);
}

createServer((request, response) => {
	if (request.url === "/graphql" && request.method === "POST")
		answer(request, response).catch((error) => {
			console.error(error);
			response.writeHead(500).end("{}");
		});
	else file(request, response);
}).listen(Number(process.env.PORT ?? 4000), "127.0.0.1", () =>
	console.log(`mock on http://127.0.0.1:${process.env.PORT ?? 4000}`),
);

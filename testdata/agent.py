"""Asks `query mcp` as an agent does, with the package mcp of PyPI. Usage: agent.py QUERY DATA"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

TOPIC = "kras-g12c-crc-resistance"


async def main(program, data):
    server = StdioServerParameters(command=program, args=["mcp", "--data", data])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def call(tool, **arguments):
            result = (await session.call_tool(tool, arguments)).model_dump(by_alias=True)
            return result.get("isError"), result.get("structuredContent")

        listed = (await session.list_tools()).model_dump(by_alias=True)
        assert all(tool["annotations"]["readOnlyHint"] for tool in listed["tools"]), listed
        _, found = await call(
            "search_evidence", query="KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor", max_results=3)
        assert len(found["sample"]) == 3, found
        for record in found["sample"]:
            _, shown = await call("get_record", id=record["id"])
            shown = shown["record"]
            assert shown["id"] == record["id"] and shown["retracted"] != "yes", shown
        _, near = await call("search_evidence", query="KRAS G12V colorectal cancer SHP2 inhibitor")
        assert not near["found"] and near["near"][0]["topic"] == TOPIC, near
        _, changed = await call("what_changed", topic=TOPIC, since="2020-01-01")
        assert changed["changes"], changed
        seen, arguments = [], {"query": "KRAS", "limit": 10}
        while arguments:
            _, page = await call("search_records", **arguments)
            seen += [hit["id"] for hit in page["hits"]]
            arguments = "cursor" in page and page["next"][0]["arguments"]
        assert len(set(seen)) == len(seen) == page["total"], seen
        report = (await session.read_resource(f"dossier://topics/{TOPIC}/report")).contents[0].text
        assert "## In brief" in report, report
        failed, _ = await call("get_record", id="PMID:1")
        assert failed
    print("everything holds")


asyncio.run(main(*sys.argv[1:]))

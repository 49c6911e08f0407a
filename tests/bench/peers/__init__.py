"""The same form built in LangGraph and in pydantic-ai, and the same scripts played against both and Holdfast."""
